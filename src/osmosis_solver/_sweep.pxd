cimport cython

from osmosis_solver._bits cimport STEP, mixed, u64
from osmosis_solver._kernel cimport Search
from osmosis_solver._words cimport LOST, ONE, ROW_STARTS, STARVED, WON

cdef int IS_LOST
cdef int IS_WON
cdef int IS_OUT_OF_POSITIONS
cdef int IS_OUT_OF_MEMORY
cdef int _DECK_SIZE
cdef u64 _MOST
cdef u64 _TWO32
cdef u64 _MASK64


@cython.final
cdef class Sweep(Search):
    cdef int[52] cards
    # Whether a card of the reserve has another one on top.
    cdef bint[52] covered
    cdef int base_suit

    cdef int _renamed(self, int card, int base) noexcept nogil
    cdef void _shuffle(self, u64 number) noexcept nogil
    cdef void _deal(self, u64 number) noexcept nogil
    cdef int _verdict(self, long long positions, long long most_bytes) noexcept nogil
