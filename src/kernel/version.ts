import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { version } from '../../package.json'

/** Defined by `scripts/build.ts`; not defined if the program runs from its source. */
declare const TRIALBOX_COMMIT: string | undefined

const read = (...path: string[]) => readFileSync(join(...path), 'utf8').trim()

/** The short hash of a checkout's commit, read from git's own files; undefined if the folder is not a checkout. */
export function commitOf(folder: string): string | undefined {
  try {
    const marker = join(folder, '.git')
    // In a linked worktree `.git` is a file with the path of its HEAD, and the branches are in the common directory.
    const linked = /^gitdir: (.+)$/.exec(existsSync(join(marker, 'HEAD')) ? '' : read(marker))
    const git = linked ? resolve(folder, linked[1]!) : marker
    const head = read(git, 'HEAD')
    const branch = /^ref: (.+)$/.exec(head)?.[1]
    if (!branch) return /^[0-9a-f]{40}/.test(head) ? head.slice(0, 7) : undefined
    const common = existsSync(join(git, 'commondir')) ? resolve(git, read(git, 'commondir')) : git
    const commit = existsSync(join(common, branch))
      ? read(common, branch)
      : read(common, 'packed-refs')
          .split('\n')
          .find((line) => line.endsWith(` ${branch}`))
    return commit?.slice(0, 7)
  } catch {
    return undefined
  }
}

const commit = typeof TRIALBOX_COMMIT === 'string' ? TRIALBOX_COMMIT : commitOf(join(import.meta.dir, '../..'))

/**
 * Semantic version and commit, such as `1.4.0+3f2a91c`: the value of `X-Service-Version` (docs/contract.md, "Versioning").
 */
export const serviceVersion = `${version}+${commit ?? 'dev'}`
