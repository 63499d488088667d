/** The codes S3 answers here, with their status and message (S3 API reference, "Error responses"). */
const s3Errors = {
  AccessDenied: [403, 'Access Denied'],
  BadDigest: [
    400,
    'The Content-MD5 or checksum value that you specified did not match what the server received.',
  ],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed object size.'],
  IncompleteBody: [
    400,
    'You did not provide the number of bytes specified by the Content-Length HTTP header.',
  ],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The AWS access key ID you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidBucketName: [400, 'The specified bucket is not valid.'],
  InvalidDigest: [400, 'The Content-MD5 or checksum value that you specified is not valid.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [
    400,
    'This copy request is illegal because it is trying to copy an object to itself without changing it.',
  ],
  InvalidURI: [400, "Couldn't parse the specified URI."],
  KeyTooLongError: [400, 'Your key is too long'],
  MalformedXML: [
    400,
    'The XML that you provided was not well-formed or did not validate against our published schema.',
  ],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NotImplemented: [
    501,
    'A header or parameter that you provided implies functionality that is not implemented.',
  ],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and the current time is too large.'],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided.',
  ],
  XAmzContentSHA256Mismatch: [
    400,
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
} as const satisfies Record<string, readonly [number, string]>

export type S3ErrorCode = keyof typeof s3Errors

/** A refusal in the words of S3; thrown anywhere below the handler and answered by it as XML. */
export class S3Error extends Error {
  readonly code: S3ErrorCode
  readonly status: number

  constructor(code: S3ErrorCode) {
    super(s3Errors[code][1])
    this.name = 'S3Error'
    this.code = code
    this.status = s3Errors[code][0]
  }
}
