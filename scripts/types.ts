/**
 * Writes the types and the rules of the operations for our own pages and tests (`src/web/kit/api/types.ts`, `rules.ts`). Git ignores
 * both: `npm test`, `npm start`, `npm run types` and `npm run build` write them first.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationRules, operationTypes } from '#http/client/operationTypes'
import { operations } from '#start/app'

const folder = join(import.meta.dir, '../src/web/kit/api')

/** Writes a file as a whole, if its content differs: tests in other processes may read it meanwhile. */
function write(name: string, content: string): void {
  const path = join(folder, name)
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${path}.${process.pid}`, content)
  renameSync(`${path}.${process.pid}`, path)
}

write('types.ts', operationTypes(operations))
write('rules.ts', operationRules(operations))
