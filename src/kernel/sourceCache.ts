/** Values that follow from the source alone and take long to compute: the build puts them into the executable. */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from './id'
import { once } from './once'

/** Changes with each file of the source that a server runs. Pages have nothing to do with what is kept. */
const stateOfSource = once(() => {
  const folder = join(import.meta.dir, '..')
  const paths = [...new Bun.Glob('*/**/*.{ts,sql}').scanSync(folder)].filter((path) => !path.startsWith('web/')).sort()
  const state = sha256(
    paths
      .map((path) => {
        const { mtimeMs, size } = statSync(join(folder, path))
        return `${path} ${size} ${mtimeMs}`
      })
      .join('\n'),
  )
  return () => state
})

const folder = join(import.meta.dir, '../../node_modules/.cache/trialbox')

function read<T>(name: string): T | undefined {
  try {
    const { state, value } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
    return state === stateOfSource() ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns a value as it was computed at an earlier start from the same source, or else computes it. Only for a program that runs
 * from its source.
 */
export function keptWithSource<T>(name: string, compute: () => T): T
export function keptWithSource<T>(name: string, compute: () => Promise<T>): T | Promise<T>
export function keptWithSource<T>(name: string, compute: () => T | Promise<T>): T | Promise<T> {
  const keep = (value: T): T => {
    // Where nothing can be written, each start computes it.
    try {
      mkdirSync(folder, { recursive: true })
      const path = join(folder, `${name}.json`)
      writeFileSync(`${path}.${process.pid}`, JSON.stringify({ state: stateOfSource(), value }))
      renameSync(`${path}.${process.pid}`, path)
    } catch {}
    return value
  }
  const kept = read<T>(name)
  if (kept !== undefined) return kept
  const value = compute()
  return value instanceof Promise ? value.then(keep) : keep(value)
}
