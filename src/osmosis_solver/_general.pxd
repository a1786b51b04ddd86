cimport cython

from osmosis_solver._bits cimport count_of, index_of, slot_of, u64
from osmosis_solver._plain cimport Plain
from osmosis_solver._words cimport (
    BOUND,
    DEAD,
    FIRST_SHIFT,
    FIRST_TABLE,
    FULL,
    OCCUPIED,
    ONE,
    OPEN,
    RUNNING,
    SHORT,
    WON,
)


cdef class General(Plain):
    # Whether the search of ``_plain`` serves.
    cdef bint plain
    # The table's values, where it does not.
    cdef unsigned char[::1] values
    cdef unsigned char[::1] spare_values
    # More of the frames.
    cdef u64[64] f_key
    cdef u64[64] f_next
    cdef int[64] f_waste
    cdef int[64] f_packet
    cdef int[64] f_redeals
    cdef int[64] f_end_now
    cdef int[64] f_end_next
    cdef int[64] f_rest

    @cython.final
    cdef int _enter(self, int depth, u64 home, u64 left, u64 gone, int waste, int packet, int redeals) noexcept nogil
    @cython.final
    cdef Py_ssize_t _key_slot(self, u64 key) noexcept nogil
    @cython.final
    cdef void _store(self, u64 key, int value) noexcept nogil
    @cython.final
    cdef void _double_keys(self) noexcept
    @cython.final
    cdef int _slot_bytes(self) noexcept
    @cython.final
    cdef void _drop_spare(self) noexcept
    @cython.final
    cdef bint _is_stored(self, u64 key, int redeals) noexcept nogil
    @cython.final
    cdef int _begin(self, int prefix, bint diving) noexcept nogil
    @cython.final
    cdef int _step(self) noexcept nogil
    @cython.final
    cdef int _rest(self, int d, int place, int n, bint passes) noexcept nogil
    @cython.final
    cdef int _search(self, long long stop) noexcept nogil
    @cython.final
    cdef list _keyed_entries(self)
