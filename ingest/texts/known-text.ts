/** What a known text of a provider is, and where such texts were found. */

/** A message as a provider wrote it, where it is documented or reported, and the number of blocks or calls, or the period, that it names. */
export type Reported = readonly [message: string, source: string, names?: number | 'day' | 'month']

/** A pattern, and the messages for which it was written. */
export type KnownTexts = readonly (readonly [says: RegExp, ...reported: Reported[]])[]

export const ponder =
  'https://github.com/ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts' as const
export const alloy = 'https://github.com/alloy-rs/alloy/blob/main/crates/transport/src/error.rs' as const
export const proxyd = 'https://github.com/ethereum-optimism/infra/blob/main/proxyd/backend.go' as const
export const geth = 'https://github.com/ethereum/go-ethereum' as const
export const besu =
  'https://github.com/besu-eth/besu/blob/main/ethereum/api/src/main/java/org/hyperledger/besu/ethereum/api/jsonrpc/internal/response/RpcErrorType.java' as const
/** Received from an endpoint; no public source was found. */
export const received = 'received' as const
