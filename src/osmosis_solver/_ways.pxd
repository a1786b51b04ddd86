cimport cython

from osmosis_solver._advise cimport MOST_OPTIONS, RESERVE, TURNS, Guesses
from osmosis_solver._bits cimport count_of, index_of, u64
from osmosis_solver._words cimport ONE

cdef int _MOST_TURNS


cdef class Ways(Guesses):
    cdef bint tops

    @cython.final
    cdef int _follow(self, int root, int first) noexcept nogil
    @cython.final
    cdef u64 _home_of(self, int i) noexcept nogil
    @cython.final
    cdef int _from_reserve(self, int i, bint safely) noexcept nogil
    @cython.final
    cdef bint _uncovers(self, int i, int j) noexcept nogil
    @cython.final
    cdef bint _bares(self, int i) noexcept nogil
    @cython.final
    cdef u64 _nth(self, u64 left, int place) noexcept nogil
    @cython.final
    cdef void _play_waste(self, int i, int j) noexcept nogil
    @cython.final
    cdef bint _reach_card(self, int i, int number) noexcept nogil
    @cython.final
    cdef bint _turns_up(self, int i) noexcept nogil
    @cython.final
    cdef void _branch(self, int root) noexcept nogil
    @cython.final
    cdef void _branch_waste(self, int root, u64 playable, int first) noexcept nogil
    @cython.final
    cdef void _list_reserve(self, int root, int j, int first) noexcept nogil
    @cython.final
    cdef void _list_waste(self, int at, int j, int first) noexcept nogil
    @cython.final
    cdef bint _is_top(self, int i, int j) noexcept nogil
    @cython.final
    cdef bint _fits(self, int root, u64 playable, int card) noexcept nogil
    @cython.final
    cdef void _give_row(self, int i, int card) noexcept nogil
