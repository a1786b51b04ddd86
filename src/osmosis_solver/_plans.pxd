cimport cython

from osmosis_solver._advise cimport IS_LOST, IS_WON, MOST_OPTIONS, RESERVE, UNKNOWN
from osmosis_solver._bits cimport mixed, u64
from osmosis_solver._ways cimport Ways


@cython.final
cdef class Plans(Ways):
    # The search over what is shown: completions by number, gathered by what is seen.
    cdef int[::1] stack
    cdef int[::1] nothing
    cdef u64 seed
    cdef bint exactly
    cdef long long positions_each
    cdef long long bytes_each
    cdef readonly long long spent
    cdef readonly int drawn

    cdef bint _wins(self, int option, int number) noexcept nogil
    cdef int _plan(self, int root, int low, int high, int depth, int[::1] found) noexcept nogil
    cdef void _draft(self, int i, int root, int low, int high, int middle) noexcept nogil
    cdef int _value(self, int i, int low, int high, int depth, int best) noexcept nogil
    cdef bint _is_shown(self, int i, int root) noexcept nogil
    cdef int _after(self, int leaf, int low, int high, int depth) noexcept nogil
    cdef int _see(self, int leaf, int first) noexcept nogil
