cimport cython

from osmosis_solver._bits cimport count_of, u64
from osmosis_solver._general cimport General
from osmosis_solver._words cimport (
    DEAD,
    DIVE,
    FREE,
    FULL,
    IN_DIVE,
    IN_EXACT,
    IN_FREE,
    IN_PREFIX,
    LOST,
    OPEN,
    PREFIX,
    RUNNING,
    STARVED,
    WON,
)

cdef long long _FOREVER
cdef long long _FIRST_BUDGET
cdef long long _BUDGET_FACTOR
cdef long long _PREFIX_FACTOR
cdef int _PREFIX_STEP


cdef class Search(General):
    # The portfolio.
    cdef int stage
    cdef int turn_of
    cdef bint busy
    cdef bint searched
    cdef bint widened
    cdef long long budget
    cdef long long task_stop
    cdef int[24] refuted
    cdef int[24] next_prefix
    cdef int lost_in
    cdef int lost_prefix

    @cython.final
    cdef void _renew(self) noexcept nogil
    @cython.final
    cdef int _refute(self, int prefix) noexcept nogil
    @cython.final
    cdef int _next_task(self) noexcept nogil
    @cython.final
    cdef int _next_round(self) noexcept nogil
    @cython.final
    cdef int _settle(self, int result) noexcept nogil
    @cython.final
    cdef bint _is_wide(self, int order) noexcept nogil
    @cython.final
    cdef long long _allowance(self) noexcept nogil
    @cython.final
    cdef void _leave(self) noexcept nogil
    @cython.final
    cdef void _give_up(self) noexcept nogil
    @cython.final
    cdef void _next_order(self) noexcept nogil
    @cython.final
    cdef int _run(self, long long stop) noexcept nogil
    @cython.final
    cdef int _run_within(self, long long positions, long long most_bytes) noexcept nogil
    @cython.final
    cdef bint _is_out_of_reach(self) noexcept nogil
