/** Who owns the files of a data directory: a restore by root makes files that the user of the server cannot read. */
import { lchownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fault } from '#kernel/fault'

export type Owner = { user: number; group: number }

/** The number that `id` prints; undefined if the machine has no such user. */
function numberOf(flag: '-u' | '-g', name: string): number | undefined {
  const { exitCode, stdout } = Bun.spawnSync(['id', flag, '--', name], { stderr: 'ignore' })
  return exitCode === 0 ? Number(stdout.toString().trim()) : undefined
}

/**
 * Reads the name of a user of this machine.
 * @throws a fault if there is no such user, or this user may not change the owner of files
 */
export function ownerFrom(name: string): Owner {
  if (process.getuid === undefined) throw fault('--owner is for systems whose files have an owner, such as Linux.')
  const user = /^[\w.@-]{1,100}$/.test(name) && !name.startsWith('-') ? numberOf('-u', name) : undefined
  const group = user === undefined ? undefined : numberOf('-g', name)
  if (user === undefined || group === undefined) throw fault(`--owner: this machine has no user "${name}".`)
  if (process.getuid() !== 0 && process.getuid() !== user)
    throw fault('--owner: only root may give files to another user. Run the restore as that user, or with sudo.')
  return { user, group }
}

/** Gives a folder and everything in it to a user. Links are not followed. */
export function changeOwner({ user, group }: Owner, path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) changeOwner({ user, group }, inner)
    else lchownSync(inner, user, group)
  }
  lchownSync(path, user, group)
}
