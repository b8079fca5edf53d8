import { existsSync } from 'node:fs'
import { fault } from '#kernel/fault'
import type { Command } from './command'

export const command: Command = {
  name: 'verify-record',
  summary: 'check a study record, or another archive that Trialbox wrote, without a server',
  usage: '<file.zip> [flags]',
  about:
    'Needs no data directory, and unpacks nothing to the disk (exports.md, "Proof"). Compare the fingerprint of the key with the one that\nthe server shows. The exit code is 1 if a check fails.',
  options: [
    {
      flag: 'key',
      takes: 'fingerprint',
      summary: 'fail unless the key with this fingerprint signed it',
    },
  ],
  words: 1,
  examples: ['trialbox verify-record "study record.zip"', 'trialbox verify-record record.zip --key 3f2a…'],
  async run({ flags, words: [path], print }) {
    if (path === undefined) throw fault('Name the file: trialbox verify-record record.zip.')
    if (!existsSync(path)) throw fault(`There is no file ${path}.`)
    const key = flags.key === undefined ? undefined : `${flags.key}`.replace(/[\s:]/g, '').toLowerCase()
    if (key !== undefined && !/^[0-9a-f]{64}$/.test(key))
      throw fault('A fingerprint has 64 hexadecimal digits; spaces and colons between them do not count.')
    const { verifyRecord } = await import('#exchange/studyRecord/verifyRecord')
    const { parts, bytes, fingerprint, chain, reads } = await verifyRecord(path, key)
    print(`ok     files        ${parts} files in ${bytes} bytes are as they were written, and no other is in it`)
    print(`ok     signature    signed with the key ${fingerprint}`)
    if (chain) {
      print(`ok     audit trail  ${chain.entries} entries fit; the last has the hash ${chain.hash}`)
      if (chain.withheld)
        print(
          `note   ${chain.withheld} of them are withheld, as the person who made the record may not see arms: only their places are checked`,
        )
    }
    if (reads !== undefined) print(`ok     reads        ${reads} reads fit`)
    if (key === undefined)
      print('note   compare the fingerprint with the server’s: anybody can sign with a key of their own')
    return 0
  },
}
