cimport cython

from osmosis_solver._bits cimport count_of, index_of, slot_of, u64
from osmosis_solver._board cimport Board

cdef int RUNNING
cdef int DEAD
cdef int WON
cdef int FULL
cdef int OPEN
cdef int LOST
cdef int STARVED
cdef int FREE
cdef int POINTER
cdef int BOUND
cdef int PREFIX
cdef int DIVE
cdef int IN_FREE
cdef int IN_DIVE
cdef int IN_EXACT
cdef int IN_PREFIX
cdef int _SHORT
cdef u64 _ONE
cdef u64 _OCCUPIED
cdef long long _FOREVER


@cython.final
cdef class Search(Board):
    # The search at hand; f_ marks the frames of its stack.
    cdef int prunes
    cdef u64 tail
    cdef bint diving
    cdef int depth
    cdef u64[64] f_left
    cdef u64[64] f_home
    cdef u64[64] f_gone
    cdef u64[64] f_now
    cdef u64[64] f_next
    cdef u64[64] f_key
    cdef int[64] f_waste
    cdef int[64] f_packet
    cdef int[64] f_redeals
    cdef int[64] f_end_now
    cdef int[64] f_end_next
    cdef int[64] f_rest
    cdef int[64] f_card
    # The transposition table.
    cdef u64[::1] keys
    cdef unsigned char[::1] values
    cdef Py_ssize_t slots
    cdef Py_ssize_t used
    cdef int shift
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
    # What is told.
    cdef long long positions
    cdef int best

    cdef int _enter(self, int depth, u64 home, u64 left, u64 gone, int waste, int packet, int redeals) noexcept nogil
    cdef Py_ssize_t _slot(self, u64 key) noexcept nogil
    cdef bint _is_stored(self, u64 key, int redeals) noexcept nogil
    cdef void _store(self, u64 key, int value) noexcept nogil
    cdef void _clear(self) noexcept nogil
    cdef int _begin(self, int prefix, bint diving) noexcept nogil
    cdef int _step(self) noexcept nogil
    cdef int _rest(self, int d, int place, int n, bint passes) noexcept nogil
    cdef int _search(self, long long stop) noexcept nogil
    cdef int _refute(self, int prefix) noexcept nogil
    cdef int _next_task(self) noexcept nogil
    cdef int _next_round(self) noexcept nogil
    cdef int _settle(self, int result) noexcept nogil
    cdef void _leave(self) noexcept nogil
    cdef void _next_order(self) noexcept nogil
    cdef int _run(self, long long stop) noexcept nogil
    cdef bint _is_out_of_reach(self) noexcept nogil
