/**
 * Archives that are encrypted with age (age-encryption.org/v1): the server knows the public keys only, and the holder of a private key
 * reads the archive, with this program or with `age`. Nothing is held in memory but a few pieces.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { fault } from '#kernel/fault'
import { writeNew } from '#writers/file'

/** The first line of each encrypted archive. */
const HEADER = Buffer.from('age-encryption.org/v1\n')

const PIECE = 1 << 20

/** The library, which no command needs that works on plain archives. */
const age = () => import('age-encryption')

/** Whether a file begins as an encrypted archive does. */
export function isEncrypted(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const beginning = Buffer.alloc(HEADER.length)
    return readSync(file, beginning, 0, beginning.length, 0) === beginning.length && beginning.equals(HEADER)
  } finally {
    closeSync(file)
  }
}

/**
 * Reads a list of recipients, such as `age1…,age1…`.
 * @throws a fault for a text that is not a public key
 */
export async function recipientsFrom(text: string): Promise<string[]> {
  const recipients = text.split(',').flatMap((each) => each.trim() || [])
  if (!recipients.length) throw fault('--to needs the public key of a recipient: age1…')
  const { Encrypter } = await age()
  for (const each of recipients) {
    if (each.startsWith('AGE-SECRET-KEY-'))
      throw fault('--to takes the public key (age1…), not the private one, which must not be on this machine.')
    try {
      new Encrypter().addRecipient(each)
    } catch {
      throw fault(`"${each}" is not a public key of age (age1…): \`age-keygen\` prints one.`)
    }
  }
  return recipients
}

/** Pieces as a stream that reads them when they are asked for. Each is copied, since its array is used again. */
function streamOf(pieces: Iterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull(controller) {
        const { done, value } = pieces.next()
        if (done) controller.close()
        else controller.enqueue(new Uint8Array(value)) // a copy: `slice` of a Buffer does not copy
      },
      cancel: () => void pieces.return?.(),
    },
    { highWaterMark: 0 },
  )
}

/** Encrypts pieces for all these recipients: each of them can read the whole. */
export async function* encryptPieces(
  pieces: Iterator<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const { Encrypter } = await age()
  const encrypter = new Encrypter()
  for (const each of recipients) encrypter.addRecipient(each)
  yield* await encrypter.encrypt(streamOf(pieces))
}

/**
 * The private keys in a file, as `age-keygen` writes it.
 * @throws a fault if it cannot be read, or holds none
 */
export function identitiesIn(path: string): string[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw fault(`The identity ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  const identities = text.split(/\r?\n/).filter((line) => /^AGE-SECRET-KEY-/.test(line.trim()))
  if (!identities.length)
    throw fault(
      `${path} holds no private key of age (AGE-SECRET-KEY-…). One with a passphrase: decrypt it with age first.`,
    )
  return identities.map((each) => each.trim())
}

function* fileInPieces(file: number): Generator<Uint8Array, undefined> {
  const buffer = Buffer.allocUnsafe(PIECE)
  for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) yield buffer.subarray(0, read)
}

/**
 * Decrypts an archive into a new file, which only this user may read.
 * @throws a fault if no identity fits, or the archive is damaged; then there is no new file
 */
export async function decryptInto(archive: string, path: string, identities: readonly string[]): Promise<void> {
  const { Decrypter } = await age()
  const decrypter = new Decrypter()
  for (const each of identities)
    try {
      decrypter.addIdentity(each)
    } catch {
      throw fault('The identity holds a private key that is damaged.')
    }
  const file = openSync(archive, 'r')
  try {
    const stream = await decrypter.decrypt(streamOf(fileInPieces(file))).catch((error: unknown) => {
      const isOfAnother = `${error}`.includes('no identity matched')
      throw fault(
        isOfAnother
          ? 'The archive is encrypted for another key than those in the identity.'
          : 'The archive is damaged: its beginning cannot be decrypted.',
      )
    })
    await writeNew(path, async (output) => {
      try {
        for await (const piece of stream) output.write(piece)
      } catch (error) {
        if ((error as { code?: unknown }).code !== undefined) throw error // of the disk
        throw fault('The archive is cut short or damaged: it cannot be decrypted to its end.')
      }
    })
  } finally {
    closeSync(file)
  }
}
