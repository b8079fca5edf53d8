import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterFile } from '../../afterFile'
import { temporaryFolder } from '../../temporary'

/** An empty folder, removed after the tests of the file. */
export function freshFolder(): string {
  const folder = temporaryFolder()
  afterFile(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const bun = process.execPath
export const root = join(import.meta.dir, '../../..')

/** A program that imports from `src`, started with these words. */
export const start = (program: string, ...words: string[]) =>
  Bun.spawn([bun, '-e', program, ...words], { cwd: root, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })

/** The first line that a process writes. */
export async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('\n')) {
    const { value, done } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  reader.releaseLock()
  return text.split('\n')[0]!
}
