import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import { sitesOf } from '#design/sites/store'
import type { Trial } from '#design/trials/store'
import type { ArchiveWriter } from '#documents/archives/writer'
import type { Instant } from '#kernel/time'
import { masterFileOf } from './masterFile'
import { moneyTables } from './moneyTables'
import { packTables } from './packTables'
import { randomisationTables } from './randomisationTables'
import { certificatesOf, siteTables } from './siteTables'

/**
 * Writes the tables about sites, master file, packs, randomisations, wallet and incentives, each if it has any row.
 * @param at the moment of the record
 * @returns the stored names of the uploads that they name
 */
export async function writeOffice(
  db: Db,
  trial: Trial,
  { access, at }: { access: Access; at: Instant },
  parts: ArchiveWriter,
): Promise<string[]> {
  const sites = sitesOf(db, trial._id, 'all')
  for (const table of siteTables(db, trial, sites, at)) await parts.sheet(`sites/${table.name}.csv`, table)
  const masterFile = masterFileOf(db, trial._id)
  const randomised = randomisationTables(db, trial, access)
  const packs = packTables(db, trial._id, access)
  for (const table of [...masterFile.sheets, ...packs, ...randomised.sheets, ...moneyTables(db, trial._id)])
    await parts.sheet(`${table.name}.csv`, table)
  for (const [_id, document] of randomised.documents) await parts.text(`randomisations/${_id}.txt`, [document])
  return [...certificatesOf(db, sites), ...masterFile.files]
}
