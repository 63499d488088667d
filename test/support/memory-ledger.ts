export { openMemoryTable as openMemoryLedger } from '../../store/memory.ts'
