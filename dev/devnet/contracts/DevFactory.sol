// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {IHouse} from "./DevErc20.sol";
import {DevHook} from "./DevHook.sol";
import {DevToken, TokenTerms} from "./DevToken.sol";

struct Launch {
    address payoutRecipient;
    address platformReferrer;
    /// What a post is priced in; the reference currency for creator and trend tokens.
    address currency;
    string uri;
    string name;
    string symbol;
    /// Of an earlier version, where the token is to be as old; 0: the present one.
    address hook;
}

/// Prices rise with ticks here, whichever currency of the pool the token becomes. Multiples of 200.
struct Curve {
    int24 startTick;
    int24[2][] ranges;
    uint256[] amounts;
}

/// Launches tokens and says so in the last log of the transaction, in the shapes of the platform's factory.
contract DevFactory {
    event CoinCreatedV4(
        address indexed caller,
        address indexed payoutRecipient,
        address indexed platformReferrer,
        address currency,
        string uri,
        string name,
        string symbol,
        address coin,
        PoolKey poolKey,
        bytes32 poolKeyHash,
        string version
    );
    event CreatorCoinCreated(
        address indexed caller,
        address indexed payoutRecipient,
        address indexed platformReferrer,
        address currency,
        string uri,
        string name,
        string symbol,
        address coin,
        PoolKey poolKey,
        bytes32 poolKeyHash,
        string version
    );
    event TrendCoinCreated(
        address indexed caller,
        string symbol,
        address coin,
        PoolKey poolKey,
        bytes32 poolKeyHash,
        bytes poolConfig,
        string version
    );

    error NotAllowed();

    string internal constant VERSION = "devnet";
    uint24 internal constant DYNAMIC_FEE = 0x800000;
    int24 internal constant TICK_SPACING = 200;
    uint256 internal constant VESTING = 5e26;
    /// As the platform's factory counts: tokens with a Uniswap V4 pool.
    uint8 internal constant COIN_VERSION = 4;

    IPoolManager internal immutable manager;
    address internal immutable admin;
    DevHook public hook;
    mapping(address => bool) internal isHook;
    /// Routers and order books may move what traders hold.
    mapping(address => bool) public isRouter;
    /// 0 of what was not launched here.
    mapping(address => uint8) public getVersionForDeployedCoin;

    constructor(IPoolManager manager_) {
        manager = manager_;
        admin = msg.sender;
    }

    /// The first hook is the one that new pools get.
    function admit(address[] calldata hooks, address[] calldata routers, address[] calldata books) external {
        if (msg.sender != admin) revert NotAllowed();
        hook = DevHook(hooks[0]);
        for (uint256 i; i < hooks.length; i++) {
            isHook[hooks[i]] = true;
            DevHook(hooks[i]).admit(hooks, routers, books);
        }
        for (uint256 i; i < routers.length; i++) isRouter[routers[i]] = true;
        for (uint256 i; i < books.length; i++) isRouter[books[i]] = true;
    }

    function launchCreator(Launch calldata launch, Curve calldata curve) external {
        (address token, PoolKey memory key) = _launch(launch, curve, VESTING, 0);
        emit CreatorCoinCreated(
            msg.sender,
            launch.payoutRecipient,
            launch.platformReferrer,
            launch.currency,
            launch.uri,
            launch.name,
            launch.symbol,
            token,
            key,
            PoolId.unwrap(key.toId()),
            VERSION
        );
    }

    function launchPost(Launch calldata launch, Curve calldata curve) external {
        (address token, PoolKey memory key) = _launch(launch, curve, 0, 1);
        emit CoinCreatedV4(
            msg.sender,
            launch.payoutRecipient,
            launch.platformReferrer,
            launch.currency,
            launch.uri,
            launch.name,
            launch.symbol,
            token,
            key,
            PoolId.unwrap(key.toId()),
            VERSION
        );
    }

    function launchTrend(Launch calldata launch, Curve calldata curve) external {
        (address token, PoolKey memory key) = _launch(launch, curve, 0, 2);
        emit TrendCoinCreated(
            msg.sender, launch.symbol, token, key, PoolId.unwrap(key.toId()), abi.encode(curve), VERSION
        );
    }

    function _launch(Launch calldata launch, Curve calldata curve, uint256 vesting, uint8 coinType)
        internal
        returns (address, PoolKey memory key)
    {
        DevHook own = launch.hook == address(0) ? hook : DevHook(launch.hook);
        if (!isHook[address(own)]) revert NotAllowed();
        DevToken token = new DevToken(
            IHouse(address(this)),
            TokenTerms(
                msg.sender,
                launch.payoutRecipient,
                launch.platformReferrer,
                launch.uri,
                launch.name,
                launch.symbol,
                vesting,
                coinType
            )
        );
        getVersionForDeployedCoin[address(token)] = COIN_VERSION;
        bool isCurrency0 = address(token) < launch.currency;
        key = PoolKey(
            Currency.wrap(isCurrency0 ? address(token) : launch.currency),
            Currency.wrap(isCurrency0 ? launch.currency : address(token)),
            DYNAMIC_FEE,
            TICK_SPACING,
            IHooks(address(own))
        );
        token.distribute(key, _sum(curve.amounts));
        int24 start = isCurrency0 ? curve.startTick : -curve.startTick;
        manager.initialize(key, TickMath.getSqrtPriceAtTick(start));
        own.open(key, address(token), _oriented(curve.ranges, isCurrency0), curve.amounts);
        return (address(token), key);
    }

    function _sum(uint256[] calldata amounts) internal pure returns (uint256 sum) {
        for (uint256 i; i < amounts.length; i++) sum += amounts[i];
    }

    function _oriented(int24[2][] calldata ranges, bool isCurrency0)
        internal
        pure
        returns (int24[2][] memory oriented)
    {
        oriented = new int24[2][](ranges.length);
        for (uint256 i; i < ranges.length; i++) {
            oriented[i] = isCurrency0 ? ranges[i] : [-ranges[i][1], -ranges[i][0]];
        }
    }
}
