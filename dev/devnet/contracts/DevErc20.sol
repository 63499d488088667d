// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

interface IHouse {
    function isRouter(address spender) external view returns (bool);
    /// 0 of what was not launched here.
    function getVersionForDeployedCoin(address token) external view returns (uint8);
}

/// An ERC-20 whose house's routers need no approval, which spares every wallet a transaction a token.
contract DevErc20 {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error NotAllowed();

    IHouse internal immutable house;
    address internal immutable minter;
    uint8 public immutable decimals;
    string public name;
    string public symbol;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(IHouse house_, string memory name_, string memory symbol_, uint8 decimals_) {
        house = house_;
        minter = msg.sender;
        decimals = decimals_;
        name = name_;
        symbol = symbol_;
    }

    function mint(address[] calldata to, uint256 amount) external {
        if (msg.sender != minter) revert NotAllowed();
        for (uint256 i; i < to.length; i++) _update(address(0), to[i], amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _update(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (!house.isRouter(msg.sender)) allowance[from][msg.sender] -= amount;
        _update(from, to, amount);
        return true;
    }

    /// From zero is a mint, to zero a burn. Reverts where the balance does not suffice.
    function _update(address from, address to, uint256 amount) internal virtual {
        if (from == address(0)) totalSupply += amount;
        else balanceOf[from] -= amount;
        if (to == address(0)) totalSupply -= amount;
        else balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
