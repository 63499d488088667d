// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {DevErc20, IHouse} from "./DevErc20.sol";
import {HookPositions} from "./HookPositions.sol";

struct TokenTerms {
    address owner;
    address payoutRecipient;
    /// The platform that it was launched at, which has a share of its fees; 0: none.
    address platformReferrer;
    string uri;
    string name;
    string symbol;
    /// Held by the token itself and released over five years.
    uint256 vesting;
    /// As the platform has it: 0 creator, 1 post, 2 trend.
    uint8 coinType;
}

/// A creator, post or trend token: an ERC-20 that says both balances after each transfer.
contract DevToken is DevErc20 {
    event CoinTransfer(
        address indexed sender,
        address indexed recipient,
        uint256 amount,
        uint256 senderBalance,
        uint256 recipientBalance
    );
    event NameAndSymbolUpdated(address indexed caller, string newName, string newSymbol);
    event ContractMetadataUpdated(address indexed caller, string newURI, string name);
    event CreatorVestingClaimed(
        address indexed recipient,
        uint256 claimAmount,
        uint256 totalClaimed,
        uint256 vestingStartTime,
        uint256 vestingEndTime
    );
    event LiquidityMigrated(
        PoolKey fromPoolKey, bytes32 fromPoolKeyHash, PoolKey toPoolKey, bytes32 toPoolKeyHash
    );

    uint256 public constant SUPPLY = 1e27;
    uint256 internal constant VESTING_SECONDS = 5 * 365.25 days;

    address public immutable owner;
    address public immutable payoutRecipient;
    address public immutable platformReferrer;
    uint256 internal immutable vesting;
    uint256 internal immutable vestingStart;
    uint8 public immutable coinType;
    uint256 public totalClaimed;
    string public contractURI;
    PoolKey internal key;

    constructor(IHouse house_, TokenTerms memory terms) DevErc20(house_, terms.name, terms.symbol, 18) {
        owner = terms.owner;
        payoutRecipient = terms.payoutRecipient;
        platformReferrer = terms.platformReferrer;
        vesting = terms.vesting;
        vestingStart = block.timestamp;
        coinType = terms.coinType;
        contractURI = terms.uri;
        emit NameAndSymbolUpdated(msg.sender, terms.name, terms.symbol);
        emit ContractMetadataUpdated(msg.sender, terms.uri, terms.name);
        _update(address(0), address(this), SUPPLY);
    }

    /// The factory hands out what is not vesting: `toPool` to the hook, the rest to the payout recipient.
    function distribute(PoolKey calldata key_, uint256 toPool) external {
        if (msg.sender != minter) revert NotAllowed();
        key = key_;
        _update(address(this), address(key_.hooks), toPool);
        uint256 rest = SUPPLY - vesting - toPool;
        if (rest > 0) _update(address(this), payoutRecipient, rest);
    }

    function getPoolKey() external view returns (PoolKey memory) {
        return key;
    }

    function burn(uint256 amount) external {
        _update(msg.sender, address(0), amount);
    }

    function setNameAndSymbol(string calldata newName, string calldata newSymbol) external {
        if (msg.sender != owner) revert NotAllowed();
        name = newName;
        symbol = newSymbol;
        emit NameAndSymbolUpdated(msg.sender, newName, newSymbol);
    }

    function claimVesting() external {
        uint256 elapsed = block.timestamp - vestingStart;
        uint256 due = elapsed < VESTING_SECONDS ? (vesting * elapsed) / VESTING_SECONDS : vesting;
        uint256 claim = due - totalClaimed;
        if (claim == 0) return;
        totalClaimed = due;
        _update(address(this), payoutRecipient, claim);
        emit CreatorVestingClaimed(
            payoutRecipient, claim, due, vestingStart, vestingStart + VESTING_SECONDS
        );
    }

    /// Moves the pool's liquidity, at its price, to a pool of another hook.
    function migrateLiquidity(HookPositions to) external {
        if (msg.sender != owner) revert NotAllowed();
        PoolKey memory from = key;
        PoolKey memory next = HookPositions(address(from.hooks)).migrate(from, to);
        key = next;
        emit LiquidityMigrated(from, PoolId.unwrap(from.toId()), next, PoolId.unwrap(next.toId()));
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        emit CoinTransfer(from, to, amount, balanceOf[from], balanceOf[to]);
    }
}
