cimport cython

from osmosis_solver._bits cimport STEP, mixed, u64
from osmosis_solver._kernel cimport Search
from osmosis_solver._words cimport LOST, ONE, WON

cdef int IS_LOST
cdef int IS_WON
cdef int IS_OPEN
cdef int UNKNOWN
cdef int MOST_OPTIONS
cdef int RESERVE
cdef int TURNS
cdef u64 _TWO32
cdef u64 _MASK64


cdef class Guesses(Search):
    # The position as it was given: 13 * suit + rank for a card.
    cdef int length
    cdef int reserve_length
    cdef int[64] all_seq
    cdef int[64] all_reserve
    # Whether a card of the reserve has the next one on top.
    cdef bint[64] covered
    cdef int all_orders
    cdef int[96] all_rows
    # The unseen places and cards, and the cards in the places' order.
    cdef int unseen
    cdef u64 unseen_reserve
    cdef int[64] places
    cdef int[64] pool
    cdef int[64] filled
    # The cards of the sequence laid out, by their numbers as given.
    cdef int[64] taken
    cdef u64 unseen_sequence
    # The options, and what leads to them; ``o_shown`` and ``o_bare`` are the unseen cards of
    # the sequence and of the reserve that are seen by then, ``o_mark`` which ones these are.
    cdef int listed
    # How many verdicts ran into a limit.
    cdef readonly long long cut
    # What each option comes to under each completion, as far as it was searched.
    cdef unsigned char[::1] known
    cdef Py_ssize_t columns
    cdef u64[1024] o_left
    cdef u64[1024] o_reserve
    cdef u64[1024] o_shown
    cdef u64[1024] o_bare
    cdef u64[1024] o_mark
    cdef int[1024] o_waste
    cdef int[1024] o_packet
    cdef int[1024] o_redeals
    cdef int[1024] o_opened
    cdef int[1024] o_bound
    cdef int[1024] o_from
    cdef int[4096] o_rows
    cdef int[1024] o_steps
    cdef unsigned char[65536] o_path
    cdef unsigned char[65536] o_rest

    @cython.final
    cdef void _complete(self, u64 seed, u64 number, bint exact) noexcept nogil
    @cython.final
    cdef void _lay(self, int option) noexcept nogil
    @cython.final
    cdef void _keep_orders(self, int option) noexcept nogil
    @cython.final
    cdef int _verdict(self, int option, long long positions, long long most_bytes) noexcept nogil
    @cython.final
    cdef void _copy(self, int i, int j) noexcept nogil
    @cython.final
    cdef bint _same(self, int i, int j) noexcept nogil
    @cython.final
    cdef int _join(self, int i, int first) noexcept nogil
    @cython.final
    cdef void _forget(self, int i) noexcept nogil
    @cython.final
    cdef void _note_step(self, int i, int place) noexcept nogil
