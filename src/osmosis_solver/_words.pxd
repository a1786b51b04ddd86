# The same as _words.py, for the compiled rooms, which take these as constants.

from osmosis_solver._bits cimport u64

cdef enum:
    RUNNING = 0
    DEAD = 1
    WON = 2
    FULL = 3
    OPEN = 4
    LOST = 5
    STARVED = 6
    FREE = 1
    POINTER = 2
    BOUND = 4
    PREFIX = 8
    DIVE = 16
    LAST = 32
    FORCED = 64
    IN_FREE = 0
    IN_DIVE = 1
    IN_EXACT = 2
    IN_PREFIX = 3
    SHORT = 128
    LOW = 63
    LOW_AT = 41
    ONLY_SHORT_AT = 58
    GROUP_AT = 18
    FIRST_TABLE = 1024
    FIRST_SHIFT = 54

cdef extern from *:
    """
    #define OSMOSIS_ONE 1ULL
    #define OSMOSIS_OCCUPIED 0x8000000000000000ULL
    #define OSMOSIS_LEFT ((1ULL << 47) - 1)
    #define OSMOSIS_START (1ULL << 61)
    #define OSMOSIS_START_SHORT (1ULL << 62)
    #define OSMOSIS_START_PASSED (1ULL << 63)
    #define OSMOSIS_ROW_STARTS 0x0000008004002001ULL
    """
    u64 ONE "OSMOSIS_ONE"
    u64 OCCUPIED "OSMOSIS_OCCUPIED"
    u64 ROW_STARTS "OSMOSIS_ROW_STARTS"
    u64 LEFT "OSMOSIS_LEFT"
    u64 START "OSMOSIS_START"
    u64 START_SHORT "OSMOSIS_START_SHORT"
    u64 START_PASSED "OSMOSIS_START_PASSED"
