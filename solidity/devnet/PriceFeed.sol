// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// A price feed with the reads of Chainlink's AggregatorV3Interface, for development chains. Its owner writes the rounds:
/// a price, zero or a negative one, one of another time, or a round that nobody has answered yet. A price without a time
/// is fresh in every block until the next round, so that nobody has to write to chains that rest.
contract PriceFeed {
    struct Round {
        int256 answer;
        uint256 startedAt;
        uint256 updatedAt;
        uint80 answeredInRound;
    }

    address public immutable owner;
    uint8 public immutable decimals;
    string public description;
    uint256 public constant version = 4;

    uint80 private latest;
    /// Whether the latest round is as of the block in which it is read.
    bool private fresh;
    mapping(uint80 roundId => Round) private rounds;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    error NotOwner(address caller);
    error NoSuchRound(uint80 roundId);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    /// @param answer First price, with `decimals_` decimals; it stays fresh.
    constructor(address owner_, uint8 decimals_, string memory description_, int256 answer) {
        owner = owner_;
        decimals = decimals_;
        description = description_;
        _answer(answer, block.timestamp);
        fresh = true;
    }

    /// A complete round that stays fresh. Any number, so that a price can be zero, negative or far from another feed's.
    function setAnswer(int256 answer) external onlyOwner {
        _endRound();
        _answer(answer, block.timestamp);
        fresh = true;
    }

    /// A complete round as of one time, which it keeps: long ago, or not yet.
    function setAnswerAt(int256 answer, uint256 updatedAt) external onlyOwner {
        _endRound();
        _answer(answer, updatedAt);
    }

    /// A round that has begun and has no answer of its own: the one before is carried over.
    function openRound() external onlyOwner {
        _endRound();
        Round storage before = rounds[latest];
        (int256 answer, uint80 answeredInRound) = (before.answer, before.answeredInRound);
        rounds[++latest] = Round(answer, block.timestamp, 0, answeredInRound);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return _round(latest);
    }

    function getRoundData(uint80 roundId) external view returns (uint80, int256, uint256, uint256, uint80) {
        if (roundId == 0 || roundId > latest) revert NoSuchRound(roundId);
        return _round(roundId);
    }

    /// A round that was fresh until now keeps this block's time.
    function _endRound() private {
        if (fresh) rounds[latest].updatedAt = block.timestamp;
        fresh = false;
    }

    function _answer(int256 answer, uint256 updatedAt) private {
        uint80 roundId = ++latest;
        rounds[roundId] = Round(answer, updatedAt, updatedAt, roundId);
        emit AnswerUpdated(answer, roundId, updatedAt);
    }

    function _round(uint80 roundId) private view returns (uint80, int256, uint256, uint256, uint80) {
        Round storage round = rounds[roundId];
        uint256 updatedAt = fresh && roundId == latest ? block.timestamp : round.updatedAt;
        return (roundId, round.answer, round.startedAt, updatedAt, round.answeredInRound);
    }
}
