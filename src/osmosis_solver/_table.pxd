cimport cython

from osmosis_solver._bits cimport count_of, index_of, u64
from osmosis_solver._board cimport Board
from osmosis_solver._words cimport (
    FIRST_SHIFT,
    FIRST_TABLE,
    LEFT,
    LOW,
    LOW_AT,
    ONE,
    ONLY_SHORT_AT,
    START,
)


cdef class Table(Board):
    # The transposition table, and room for one twice as large.
    cdef u64[::1] keys
    cdef u64[::1] spare_keys
    cdef Py_ssize_t slots
    cdef Py_ssize_t used
    cdef int shift
    # The tail, its first card, its cards by the remainder of their places at the start, and
    # what of it may always come up.
    cdef u64 tail_left
    cdef u64 first_of_tail
    cdef u64[64] tail_turns
    cdef u64 tail_sure
    # From cards to cards of the sequence counted from its end, and back.
    cdef u64[64] mirror
    cdef u64[64] card_at
    # The cards left of the prefix by the remainder of their place, 4 sets a frame of the search.
    cdef u64[256] f_turns
    # The cards of the reserve that nothing covers, home or not, a set a frame; what is under one.
    cdef u64[64] f_open
    cdef u64[64] under_card

    @cython.final
    cdef void _clear(self) noexcept nogil
    @cython.final
    cdef void _wipe(self) noexcept nogil
    @cython.final
    cdef void _swap(self) noexcept
    @cython.final
    cdef list _entries(self)
    @cython.final
    cdef u64 _turned_about(self, u64 left) noexcept
    @cython.final
    cdef int _first_place(self, u64 word, u64 left, int kind) noexcept
    @cython.final
    cdef void _look_up_sequence(self) noexcept nogil
    @cython.final
    cdef bint _is_tail_sure(self, int place) noexcept nogil
    @cython.final
    cdef void _look_up_reserve(self) noexcept nogil
