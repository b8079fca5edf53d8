import type { Db } from '#db/open'
import { fault } from '#kernel/fault'
import { type Instant, instantText } from '#kernel/time'
import { readDataDirectory } from '#server/process/dataDirectory'
import { lock } from '#server/process/lock'
import { datedKeys } from '#server/process/secretsFile'
import { type EarlierKey, earlierKeys, forget, rotate, signingKeyOf } from '#server/secrets/rotate'
import { LEAST_RETENTION } from '#server/secrets/uses'
import type { Call } from './command'

type OnDatabase = (act: (db: Db) => void, isWriting: boolean) => void

/** Why an earlier key is needed, in lines. */
function* reasons({ key, uses, isWaitOver }: EarlierKey): Generator<string> {
  for (const { count, what, remedy } of uses) yield `needs  ${key.version}\t${count} ${what}: ${remedy}`
  if (!isWaitOver)
    yield `needs  ${key.version}\tlinks, and what devices without a connection have, until ${instantText(key.until! + LEAST_RETENTION)}`
}

/** Performs `trialbox secrets`. Returns the exit code. */
export function manageSecrets(
  { words, flags, print }: Pick<Call, 'words' | 'flags' | 'print'>,
  data: string,
  now: Instant,
  onDatabase: OnDatabase,
): number {
  const [what = 'list'] = words
  const { root } = readDataDirectory(data)
  if (flags.now && what !== 'forget') throw fault('--now is for: trialbox secrets forget.')
  switch (what) {
    case 'list':
      onDatabase((db) => {
        for (const { version, since, until } of datedKeys(root)) {
          const times = `${since === null ? 'from the beginning' : `since ${instantText(since)}`}, ${until === null ? 'current' : `until ${instantText(until)}`}`
          print(`key    ${version}\t${times}\tsigns archives as ${signingKeyOf(root, version)}`)
        }
        for (const each of earlierKeys(root, db, now)) for (const line of reasons(each)) print(line)
      }, false)
      return 0
    case 'rotate':
      return withLock(root, () => {
        onDatabase((db) => {
          const { version, renewed, unreadable } = rotate(root, db, now)
          print(`Key ${version} is the current one. ${renewed} stored secrets are sealed with it.`)
          for (const [place, count] of unreadable)
            print(`note   ${count} values in ${place} cannot be read with any key`)
          print(
            'Earlier keys stay until: trialbox secrets forget. Make a backup now: older ones hold the earlier keys only.',
          )
        }, true)
        return 0
      })
    case 'forget':
      return withLock(root, () => forgetKeys(root, now, flags.now === true, onDatabase, print))
    default:
      throw fault(`trialbox secrets knows rotate, list and forget, not "${what}".`)
  }
}

function forgetKeys(
  root: string,
  now: Instant,
  atOnce: boolean,
  onDatabase: OnDatabase,
  print: (line: string) => void,
): number {
  let code = 0
  onDatabase((db) => {
    const { forgotten, left } = forget(root, db, now, atOnce)
    for (const { key, uses, isWaitOver } of forgotten) {
      print(`Key ${key.version} is forgotten.`)
      if (!isWaitOver) print(`ended  ${key.version}\tlinks that were sent, and what devices without a connection have`)
      for (const { count, what, ends } of uses) print(`ended  ${key.version}\t${count} ${what}: they ${ends}`)
    }
    for (const each of left) for (const line of reasons(each)) print(line)
    if (!forgotten.length && !left.length) print('There is no earlier key.')
    if (left.length) code = 1
  }, true)
  if (code)
    throw fault(
      'Keys that something needs are kept. Each line says what to do; then run this again. To forget them nevertheless, give --now.',
    )
  return code
}

/** @throws a fault while a server runs: it knows the keys from its start */
function withLock(root: string, act: () => number): number {
  const held = lock(root)
  try {
    return act()
  } finally {
    held.release()
  }
}
