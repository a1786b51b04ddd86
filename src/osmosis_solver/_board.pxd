cimport cython

from osmosis_solver._bits cimport count_of, index_of, playable_of, u64
from osmosis_solver._words cimport ONE



cdef class Board:
    # The deal and the rules.
    cdef int draw
    cdef bint any_start
    cdef bint packets
    cdef bint limited
    cdef int base_rank
    cdef int suits
    cdef int size
    cdef int[64] seq_card
    cdef int[64] pile_card
    cdef int[64] pile_cover
    cdef int reserve_size
    # The same as sets, 13 * suit + rank for a bit.
    cdef u64 sequence_cards
    cdef u64 reserve_cards
    cdef u64 home_cards
    cdef int waste0
    cdef int packet0
    cdef int redeals0
    cdef int target
    # Remainders by draw.
    cdef int[64] mod
    # Rule 6's switch.
    cdef bint pointer
    # The row orders: row_of[4 * order + suit].
    cdef int orders
    cdef int[96] row_of
    # The row order at hand.
    cdef int order
    cdef u64 deck
    cdef u64 row1
    cdef u64 bases
    cdef u64 reserve
    cdef u64 sequence
    cdef u64 home0
    cdef u64[64] seq_bit
    cdef int[64] seq_index
    cdef u64[64] cover
    cdef int prefix
    cdef bint exact
    # What the last closure and the last look at a position found.
    cdef u64 closed_gone
    cdef int turns_ahead
    cdef int redeals_ahead
    cdef u64[64] place_bit
    cdef u64 now
    cdef u64 next
    cdef int p_waste
    cdef int p_packet
    cdef int end_now
    cdef int end_next

    @cython.final
    cdef u64 _bit(self, int card) noexcept nogil
    @cython.final
    cdef u64 _in_rows(self, u64 cards) noexcept nogil
    @cython.final
    cdef void _set_rows(self, int order) noexcept nogil
    @cython.final
    cdef void _set_order(self, int order) noexcept nogil
    @cython.final
    cdef inline u64 _playable(self, u64 home) noexcept nogil
    @cython.final
    cdef u64 _close_free(self, u64 home, u64 free) noexcept nogil
    @cython.final
    cdef u64 _close_aligned(self, u64 home, u64 left, int waste, u64 gone, u64 allowed) noexcept nogil
    @cython.final
    cdef bint _may_come_up(self, int j, u64 left, int waste, u64 gone) noexcept nogil
    @cython.final
    cdef u64 _close_passes(self, u64 home, u64 left, int waste, int packet, int redeals) noexcept nogil
    @cython.final
    cdef u64 _play_down(self, u64 home, u64 started, int place, int packet) noexcept nogil
    @cython.final
    cdef bint _falls_short(self, u64 home, u64 left, u64 gone, int waste, int packet, int redeals) noexcept nogil
    @cython.final
    cdef void _look(self, u64 home, u64 left, int waste, int packet, int redeals) noexcept nogil
    @cython.final
    cdef bint _comes_now(self, int place, int n, int waste, int packet, bint end) noexcept nogil
    @cython.final
    cdef void _end_packets(self, int n, int waste, int packet, bint end) noexcept nogil
    @cython.final
    cdef void _canonise(self, int n, int waste, int packet, int first) noexcept nogil
