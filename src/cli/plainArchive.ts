import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from '#kernel/cryptography'
import { fault } from '#kernel/fault'
import type { Option } from '#server/config/options'
import { ownMark } from '#server/process/abandonedFiles'

export const identityOption: Option = {
  flag: 'identity',
  takes: 'file',
  summary: 'the private key of an archive that is encrypted, as `age-keygen` writes it',
}

/**
 * Calls a function with an archive that can be read: the archive itself, or a decrypted one in the place where it is restored, which only
 * this user may read and which is removed afterwards. What a kill leaves of it is removed as what a killed restore leaves.
 * @param data the directory into which it is restored
 * @throws a fault if it is encrypted and there is no identity
 */
export async function withPlainArchive<T>(
  archive: string,
  identity: string | undefined,
  data: string,
  use: (plain: string) => T | Promise<T>,
): Promise<T> {
  const { decryptInto, identitiesIn, isEncrypted } = await import('#server/backup/encryption')
  if (!isEncrypted(archive)) {
    if (identity !== undefined) throw fault(`${archive} is not encrypted: leave --identity away.`)
    return use(archive)
  }
  if (identity === undefined) throw fault(`${archive} is encrypted: name the file of the private key with --identity.`)
  const identities = identitiesIn(identity)
  const { requireEmpty } = await import('#server/backup/staging')
  requireEmpty(data)
  const name = `restoring-${ownMark(randomBytes(6).toString('hex'))}`
  const plain = existsSync(data) ? join(data, name) : `${data}.${name}`
  try {
    await decryptInto(archive, plain, identities)
    return await use(plain)
  } finally {
    rmSync(plain, { force: true })
  }
}
