cimport cython

from osmosis_solver._bits cimport count_of, index_of, playable_of, prefetch, slot_of, top_of, u64, union_of
from osmosis_solver._table cimport Table
from osmosis_solver._words cimport (
    BOUND,
    DEAD,
    FORCED,
    GROUP_AT,
    LAST,
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


cdef class Plain(Table):
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
    cdef Py_ssize_t[64] f_slot
    # What the closure at hand has played of the prefix, and what may come up in it.
    cdef u64 closed_one
    cdef u64 closed_two
    cdef u64 closed_up
    # The cards of the reserve that nothing covers, home or not.
    cdef u64 closed_open
    cdef int[64] f_card
    # Where in the table the plays at hand may stand.
    cdef Py_ssize_t[64] play_slots
    # What is told.
    cdef long long positions
    cdef int best

    @cython.final
    cdef int _begin_plain(self) noexcept nogil
    @cython.final
    cdef u64 _reach(self, int depth, u64 home, u64 left, u64 up, u64 gone, u64 offered, u64 seen) noexcept nogil
    @cython.final
    cdef inline u64 _play_reserve(self, u64 home) noexcept nogil
    @cython.final
    cdef u64 _reach_ahead(self, int depth, u64 home, u64 left, int kind, u64 ahead) noexcept nogil
    @cython.final
    cdef inline u64 _tail_up(self, u64 gone) noexcept nogil
    @cython.final
    cdef inline u64 _bared(self, u64 left, u64 played) noexcept nogil
    @cython.final
    cdef inline int _as_far(self, u64 bits, int under) noexcept nogil
    @cython.final
    cdef inline u64 _new_plays(self, u64 word, u64 left, int kind, u64 fresh, u64 ahead) noexcept nogil
    @cython.final
    cdef inline u64 _open_plays(self, u64 left, u64 plays) noexcept nogil
    @cython.final
    cdef inline bint _is_known(self, u64 word, u64 left, u64 bit) noexcept nogil
    @cython.final
    cdef inline bint _is_bound_due(self, u64 word, u64 plays) noexcept nogil
    @cython.final
    cdef inline u64 _cards_for(self, u64 home) noexcept nogil
    @cython.final
    cdef inline void _shift(self, int d, u64 bit) noexcept nogil
    @cython.final
    cdef int _enter_plain(self, int depth, u64 home, u64 left, u64 gone, int kind, int under, Py_ssize_t slot) noexcept nogil
    @cython.final
    cdef int _step_plain(self) noexcept nogil
    @cython.final
    cdef void _leave_plain(self) noexcept nogil
    @cython.final
    cdef inline Py_ssize_t _first_slot(self, u64 left) noexcept nogil
    @cython.final
    cdef inline Py_ssize_t _slot(self, u64 left) noexcept nogil
    @cython.final
    cdef inline Py_ssize_t _slot_from(self, Py_ssize_t slot, u64 left) noexcept nogil
    @cython.final
    cdef void _note(self, Py_ssize_t slot, u64 left, int kind, int reach, u64 marks) noexcept nogil
    @cython.final
    cdef void _double(self) noexcept

