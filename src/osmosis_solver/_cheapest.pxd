cimport cython

from osmosis_solver._bits cimport count_of, index_of, slot_of, u64
from osmosis_solver._board cimport Board

cdef int RUNNING
cdef int FULL
cdef int BETTER
cdef int DONE
cdef u64 _ONE
cdef int _UNIT
cdef int _DEAD
cdef int _MOST_PLAYS


@cython.final
cdef class Cheapest(Board):
    cdef bint by_passes
    # The nodes: cards left and home; waste, packet, redeals so far, order and the card whose
    # play led here; cost so far and estimate of the rest (_DEAD if there is none); parent.
    cdef u64[::1] left
    cdef u64[::1] home
    cdef u64[::1] info
    cdef int[::1] cost
    cdef int[::1] ahead
    cdef int[::1] parent
    cdef unsigned char[::1] closed
    cdef int nodes
    cdef int room
    # The transposition table holds node numbers plus 1, the open list (a heap) f, the number
    # of cards left, and the node in one word.
    cdef int[::1] table
    cdef int shift
    cdef u64[::1] heap
    cdef Py_ssize_t open_nodes
    # The cheapest win so far, and what a win must undercut.
    cdef int best_node
    cdef int limit
    cdef long long positions

    @cython.final
    cdef int _run(self, long long stop) noexcept nogil
    @cython.final
    cdef void _push(self, int node) noexcept nogil
    @cython.final
    cdef int _pop(self) noexcept nogil
    @cython.final
    cdef bint _expand(self, int node) noexcept nogil
    @cython.final
    cdef bint _reach(self, int node, int j, int waste, int packet, int redeals, int cost) noexcept nogil
    @cython.final
    cdef void _estimate(self, int node, int waste, int packet, int redeals) noexcept nogil
    @cython.final
    cdef Py_ssize_t _slot(self, u64 left, u64 key) noexcept nogil
    @cython.final
    cdef int _price(self, int turns, int redeals) noexcept nogil
    @cython.final
    cdef void _begin_order(self, int order) noexcept nogil
    @cython.final
    cdef void _add(self, u64 left, u64 home, u64 info, int parent) noexcept nogil
