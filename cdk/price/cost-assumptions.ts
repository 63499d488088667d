/** Traffic of a month. */
export type Load = {
  readonly name: string
  /** Answers of documents and of what needs parameters, in a month. */
  readonly documentReads: number
  readonly apiReads: number
  /** Requests of the account page in a month. */
  readonly accountRequests: number
  readonly swapsPerDay: number
  /** Readers of the stream at any time. */
  readonly streamReaders: number
  /** Tokens traded within 30 days. */
  readonly activeTokens: number
}

export const loads: readonly Load[] = [
  {
    name: 'idle',
    documentReads: 0,
    apiReads: 0,
    accountRequests: 0,
    swapsPerDay: 20_000,
    streamReaders: 0,
    activeTokens: 50_000,
  },
  {
    name: 'small',
    documentReads: 1e6,
    apiReads: 0.2e6,
    accountRequests: 10e3,
    swapsPerDay: 50_000,
    streamReaders: 20,
    activeTokens: 100_000,
  },
  {
    name: 'medium',
    documentReads: 100e6,
    apiReads: 10e6,
    accountRequests: 0.2e6,
    swapsPerDay: 500_000,
    streamReaders: 500,
    activeTokens: 600_000,
  },
  {
    name: 'large',
    documentReads: 1e9,
    apiReads: 50e6,
    accountRequests: 1e6,
    swapsPerDay: 2_000_000,
    streamReaders: 5_000,
    activeTokens: 1_100_000,
  },
]

/** Measured or chosen inputs of the formulas: from dev/bench/README.md, or a guess that is marked as one. */
export const assumptions = {
  /** Seconds of a rebuild on a whole processor: without tokens, which reads and puts documents, and for each active token (measured); megabytes of a function that has one. */
  rebuildSeconds: 2.7,
  rankSecondsPerToken: 5.5e-6,
  functionMbPerProcessor: 1_769,
  /** Bytes of a token in the screener’s columns (measured), and the share of active tokens that stand there (a guess). */
  screenedBytesPerToken: 900,
  screenedShare: 0.4,
  /** Documents of a snapshot whose bytes changed, as a share. */
  changedShare: 0.9,
  /** Write units of a swap (measured at one trade a second), and of the documents that a rebuild puts into the table (measured: lists full of tokens with short names). */
  writeUnitsPerSwap: 2.5,
  writeUnitsPerRebuild: 330,
  /** Read units of a swap in ingest, whose reads are strong (a guess). */
  readUnitsPerSwap: 5,
  /** Read units of a task of the stream in a second, with readers (four polls of the feed and its end, one of APPLIED) and without. */
  streamReadUnitsPerSecond: { read: 9, idle: 0.6 },
  /** Regional caches of the edge, each of which asks for a document when its cache time is over (a guess). */
  regionalCaches: 10,
  documentCacheSeconds: 20,
  /** Bytes of a checkpoint for each active token (measured), and how often one is put. */
  checkpointBytesPerToken: 274,
  checkpointMinutes: 10,
  /** Kilobytes of a kept document, which is gzipped (a guess: a board of a hundred rows has 22). */
  keptDocumentKb: 12,
  /** Seconds and bytes of a swap in the archive with everything around it, its share of the segments included (measured: a day of 100,000). */
  archiveSecondsPerSwap: 0.0002,
  archivedBytesPerSwap: 600,
  /** Read units of a question to the API. */
  readUnitsPerApiRead: 8,
  apiSeconds: 0.06,
  /** Seconds of a drawing of the previews (a guess: measured on a whole processor, 0.4 with its start). */
  drawSeconds: 2,
  /** Units and seconds of a request of the account page, and how many of them change a key (guesses). */
  accountReadUnits: 20,
  accountWriteUnits: 2,
  accountSeconds: 0.1,
  accountChangeShare: 0.05,
  /** Kilobytes on the wire. */
  documentKb: 15,
  apiKb: 5,
  eventKb: 0.45,
  /** Bytes of rows that a swap leaves until they expire. */
  storedBytesPerSwap: 600,
  keptDays: 30,
  /** Bytes of a counted line in the edge's log, which begins and ends with a line of the edge's own. */
  usageLineBytes: 410,
  /** Lines of the edge's log that are counted at once, and write units and seconds of one such batch. */
  usageBatchLines: 50,
  usageBatchUnits: 4,
  usageBatchSeconds: 0.1,
  apiLogBytes: 500,
  /** Messages to the tools for agents, as a share of the API's answers, and GB-seconds of one, which waits for an answer (guesses). */
  messagesPerApiRead: 0.1,
  messageGbSeconds: 0.075,
  /** The chain's endpoints, and the secret by which the gateway recognizes the edge. */
  secrets: 2,
  /** Gigabytes of accounts and keys: 10,000 of them. */
  accessGb: 0.01,
  /** Calls to the chain's endpoints in a day at its head, other than polls: verification, headers and rechecks (measured: 17,000). */
  rpcCallsBesidePolls: 18_000,
} as const
