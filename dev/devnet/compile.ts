/** `npm run build:devnet`: compiles contracts/*.sol to contracts.json, which is committed, so that starting needs no compiler. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Abi, type Hex, keccak256, toHex } from 'viem'
import { OperatorFault } from '../../admin/base/terminal.ts'
import {
  type CompiledContract,
  type CompiledContracts,
  type ContractName,
  contractNames,
  type HookName,
  hookAddress,
  hookFlags,
  hookInitCode,
} from './contracts.ts'

/** The compiler rejected the sources; `message` is its own. */
const compile = (message: string) => new OperatorFault('Compile', message)

type SolcOutput = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly abi: Abi; readonly evm: { readonly bytecode: { readonly object: string } } }
        >
      >
    >
  >
}
type Solc = {
  version(): string
  compile(
    input: string,
    callbacks: { import(path: string): { contents: string } | { error: string } },
  ): string
}

const require = createRequire(import.meta.url)
const sourcesUrl = new URL('./contracts/', import.meta.url)
const artifactUrl = new URL('./contracts.json', import.meta.url)
const compilationUrl = new URL('./compilation.json', import.meta.url)
const HOOKS = 2

/** Compiles the sources; some seconds. Throws a Compile. */
export function compileContracts(): CompiledContracts {
  const solc = require('solc') as Solc
  const output = JSON.parse(solc.compile(JSON.stringify(solcInput()), { import: readImport })) as SolcOutput
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw compile(errors.map((error) => error.formattedMessage).join('\n'))
  const contracts = Object.fromEntries(
    contractNames.map((name) => [name, contractOf(output, name)]),
  ) as CompiledContracts['contracts']
  const saltsOf = (name: HookName) => mineSalts(hookInitCode(contracts[name].bytecode))
  const hookSalts = { DevHook: saltsOf('DevHook'), OldHook: saltsOf('OldHook') }
  return { compiler: solc.version(), contracts, hookSalts }
}

/**
 * Identifies a run of the compiler: keccak256 of its input, including its version, and of its output. If both are
 * unchanged, another run would produce the same.
 */
export type Compilation = { readonly read: Hex; readonly made: Hex }

/** The identity of a compilation of the current sources into these contracts, without compiling. */
export function compilationOf(contracts: CompiledContracts): Compilation {
  const { version } = require('solc/package.json') as { version: string }
  const digests = [...solidityFiles().values()].map((text) => keccak256(toHex(text))).sort()
  return {
    read: keccak256(toHex(JSON.stringify([version, solcInput(), digests]))),
    made: keccak256(toHex(JSON.stringify(contracts))),
  }
}

/** The compilation that contracts.json comes from. */
export const keptCompilation = (): Compilation => JSON.parse(readFileSync(compilationUrl, 'utf8'))

/** Texts of all compiled files by path, including imports. */
export function solidityFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const read = (path: string): void => {
    if (files.has(path)) return
    const text = readFileSync(path, 'utf8')
    files.set(path, text)
    for (const [, imported = ''] of text.matchAll(/import\s[^;]*?"([^"]+)";/g))
      read(imported.startsWith('.') ? join(dirname(path), imported) : require.resolve(imported))
  }
  for (const name of sourceNames()) read(fileURLToPath(new URL(name, sourcesUrl)))
  return files
}

const sourceNames = () => readdirSync(sourcesUrl).filter((name) => name.endsWith('.sol'))

function contractOf(output: SolcOutput, name: ContractName): CompiledContract {
  const contract = output.contracts[`${name}.sol`]?.[name]
  if (!contract) throw compile(`contracts/${name}.sol holds no contract ${name}`)
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
}

function solcInput() {
  return {
    language: 'Solidity',
    sources: Object.fromEntries(
      sourceNames().map((name) => [name, { content: readFileSync(new URL(name, sourcesUrl), 'utf8') }]),
    ),
    settings: {
      viaIR: true, // Swapped has more fields than there are stack slots
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
}

function readImport(path: string) {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch {
    return { error: `not found: ${path}` }
  }
}

// Uniswap V4 reads a hook's permissions from the low 14 bits of its address.
function mineSalts(initCode: Hex): Hex[] {
  const bytecodeHash = keccak256(initCode)
  const salts: Hex[] = []
  for (let n = 0; salts.length < HOOKS; n++) {
    const salt: Hex = `0x${n.toString(16).padStart(64, '0')}`
    if ((Number.parseInt(hookAddress(bytecodeHash, salt).slice(-4), 16) & 0x3fff) === hookFlags)
      salts.push(salt)
  }
  return salts
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const contracts = compileContracts()
  writeFileSync(artifactUrl, `${JSON.stringify(contracts)}\n`)
  writeFileSync(compilationUrl, `${JSON.stringify(compilationOf(contracts), null, 2)}\n`)
}
