// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title Who may sign launch permits, and who may say so
/// @notice A two-step owner keeps a set of signers, each with its own validity interval. Intervals may overlap, so a
/// key is rotated by adding the next one before the last one ends. A revocation is for ever.
abstract contract PermitAuthorities {
    /// @param validFrom First second at which signatures count.
    /// @param validUntil Last second at which they count; 0 for a signer that was never set.
    /// @param revoked True once revoked, whatever the interval says.
    struct Authority {
        uint64 validFrom;
        uint64 validUntil;
        bool revoked;
    }

    /// @dev Largest `s` of a canonical signature: half the order of secp256k1.
    uint256 private constant MAX_SIGNATURE_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    /// @notice Manages authorities. Cannot launch, pause, withdraw or change a stamp.
    address public owner;
    /// @notice Proposed owner, until it accepts.
    address public pendingOwner;
    /// @notice Interval and revocation of a signer.
    mapping(address signer => Authority) public authority;

    event OwnershipTransferStarted(address indexed owner, address indexed pendingOwner);
    event OwnershipTransferred(address indexed previousOwner, address indexed owner);
    event PermitAuthoritySet(address indexed signer, uint64 validFrom, uint64 validUntil);
    event PermitAuthorityRevoked(address indexed signer);

    error OwnerIsZero();
    error NotOwner(address caller);
    error NotPendingOwner(address caller);
    error AuthorityIsZero();
    error AuthorityIntervalInvalid(uint64 validFrom, uint64 validUntil);
    /// @notice Not 65 bytes, a high `s`, or no key recovers from it.
    error SignatureMalformed();
    /// @notice A well-formed signature of somebody who was never an authority, or over something else than this permit.
    error SignerNotAuthority(address signer);
    error AuthorityNotYetValid(address signer, uint64 validFrom);
    error AuthorityExpired(address signer, uint64 validUntil);
    error AuthorityRevoked(address signer);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    constructor(address initialOwner) {
        if (initialOwner == address(0)) revert OwnerIsZero();
        owner = initialOwner;
        emit OwnershipTransferred(address(0), initialOwner);
    }

    /// @notice Proposes a new owner; the zero address withdraws a proposal.
    function transferOwnership(address newOwner) external onlyOwner {
        pendingOwner = newOwner;
        emit OwnershipTransferStarted(msg.sender, newOwner);
    }

    /// @notice Takes the ownership that was proposed to the caller.
    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert NotPendingOwner(msg.sender);
        emit OwnershipTransferred(owner, msg.sender);
        owner = msg.sender;
        pendingOwner = address(0);
    }

    /// @notice Adds a signer or changes its interval; both ends are inside.
    function setAuthority(address signer, uint64 validFrom, uint64 validUntil) external onlyOwner {
        if (signer == address(0)) revert AuthorityIsZero();
        if (validUntil == 0 || validUntil < validFrom) revert AuthorityIntervalInvalid(validFrom, validUntil);
        if (authority[signer].revoked) revert AuthorityRevoked(signer);
        authority[signer] = Authority(validFrom, validUntil, false);
        emit PermitAuthoritySet(signer, validFrom, validUntil);
    }

    /// @notice Ends a signer for ever: what it has signed and nobody has used yet is worth nothing from now on.
    function revokeAuthority(address signer) external onlyOwner {
        if (signer == address(0)) revert AuthorityIsZero();
        authority[signer].revoked = true;
        emit PermitAuthorityRevoked(signer);
    }

    /// @dev Refuses unless `signature` (r, s, v: 65 bytes, low s) over `digest` is by an authority valid now.
    function _requireAuthority(bytes32 digest, bytes calldata signature) internal view {
        if (signature.length != 65) revert SignatureMalformed();
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > MAX_SIGNATURE_S) revert SignatureMalformed();
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        if (signer == address(0)) revert SignatureMalformed();

        Authority memory found = authority[signer];
        if (found.revoked) revert AuthorityRevoked(signer);
        if (found.validUntil == 0) revert SignerNotAuthority(signer);
        if (block.timestamp < found.validFrom) revert AuthorityNotYetValid(signer, found.validFrom);
        if (block.timestamp > found.validUntil) revert AuthorityExpired(signer, found.validUntil);
    }
}
