import '../store/nothere.ts'
import '@aws-sdk/client-s3'
import '../snapshot/engine.ts'
