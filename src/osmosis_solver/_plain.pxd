cimport cython

from osmosis_solver._bits cimport count_of, index_of, playable_of, prefetch, slot_of, top_of, u64
from osmosis_solver._board cimport Board
from osmosis_solver._words cimport (
    BOUND,
    DEAD,
    FIRST_SHIFT,
    FIRST_TABLE,
    LEFT,
    LOW,
    LOW_AT,
    ONE,
    ONLY_SHORT_AT,
    OPEN,
    POINTER,
    START,
    START_PASSED,
    START_SHORT,
    WON,
)


cdef class Plain(Board):
    cdef int prunes
    # The search at hand; f_ marks the frames of its stack.
    cdef u64 tail
    cdef bint diving
    cdef int depth
    cdef u64[64] f_left
    cdef u64[64] f_home
    cdef u64[64] f_gone
    cdef u64[64] f_now
    cdef u64[64] f_marks
    cdef int[64] f_kind
    cdef int[64] f_from
    # The cards left of the prefix by the remainder of their place, 4 sets a frame.
    cdef u64[256] f_turns
    # The tail by the remainder of its places at the start; what of it may always come up.
    cdef u64[64] tail_turns
    cdef u64 tail_sure
    # What the closure at hand has played of the prefix, and what may come up in it.
    cdef u64 closed_fresh
    cdef u64 closed_sure
    # The cards of the sequence after each one.
    cdef u64[64] above
    cdef int[64] f_card
    # The transposition table.
    cdef u64[::1] keys
    cdef u64[::1] spare_keys
    cdef Py_ssize_t slots
    cdef Py_ssize_t used
    cdef int shift
    # What is told.
    cdef long long positions
    cdef int best

    @cython.final
    cdef int _begin_plain(self) noexcept nogil
    @cython.final
    cdef bint _is_tail_sure(self, int place) noexcept nogil
    @cython.final
    cdef u64 _reach(self, int depth, u64 home, u64 left, u64 sure, u64 gone, bint tail_only) noexcept nogil
    @cython.final
    cdef u64 _reach_ahead(self, int depth, u64 home, u64 left, int kind, u64 ahead) noexcept nogil
    @cython.final
    cdef inline u64 _prefix_up(self, int depth, u64 fresh) noexcept nogil
    @cython.final
    cdef inline u64 _tail_up(self, u64 gone) noexcept nogil
    @cython.final
    cdef inline u64 _bared_tail(self, u64 gone) noexcept nogil
    @cython.final
    cdef inline u64 _cards_for(self, u64 home) noexcept nogil
    @cython.final
    cdef inline u64 _indices(self, u64 cards) noexcept nogil
    @cython.final
    cdef inline void _shift(self, int d, int j) noexcept nogil
    @cython.final
    cdef int _enter_plain(self, int depth, u64 home, u64 left, u64 gone, int kind, int low) noexcept nogil
    @cython.final
    cdef int _step_plain(self) noexcept nogil
    @cython.final
    cdef void _leave_plain(self) noexcept nogil
    @cython.final
    cdef inline Py_ssize_t _slot(self, u64 left) noexcept nogil
    @cython.final
    cdef inline void _fetch(self, u64 left) noexcept nogil
    @cython.final
    cdef inline bint _is_refuted(self, u64 word, int kind, int low) noexcept nogil
    @cython.final
    cdef void _note(self, u64 left, int kind, int low, u64 marks) noexcept nogil
    @cython.final
    cdef void _double(self) noexcept
    @cython.final
    cdef void _swap(self) noexcept
    @cython.final
    cdef list _entries(self)
    @cython.final
    cdef int _first_place(self, u64 word, int kind) noexcept
    @cython.final
    cdef void _wipe(self) noexcept nogil
    @cython.final
    cdef void _clear(self) noexcept nogil
