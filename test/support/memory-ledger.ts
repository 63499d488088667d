export { openMemoryTable as openMemoryLedger } from '../../store/memory-table.ts'
