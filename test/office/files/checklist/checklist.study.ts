/** A trial with two sites, and short forms to file essential records and to read the checklist. */
import type { Id } from '#kernel/id'
import type { Person } from '../../../harness'
import { present } from '../../../present'
import { type Fields, masterFile } from '../files.study'

export async function checklist() {
  const m = await masterFile()
  const url = `${m.all}/checklist` as const
  const read = async (query = '', by: Person = m.owner) =>
    by.get<'readFileChecklist'>(`${url}?${query}` as `${typeof url}?`)
  return {
    ...m,
    url,
    read,
    /** Files a document: with an approved version, unless the fields of the version say otherwise. */
    async file(fields: Fields, version: Fields | null = {}): Promise<Id> {
      const { _id } = await m.add(fields)
      if (version) await m.version(_id, `content ${_id}`, { status: 'approved', ...version })
      return _id
    },
    /** The entry of a record at a place; null is the whole trial. */
    async entry(record: string, site: Id | null = null, by: Person = m.owner) {
      const { places } = await read(`site=${site ?? 'none'}`, by)
      return present(present(places[0]).entries.find((each) => each.record === record))
    },
    state: async (record: string, site: Id | null = null, by: Person = m.owner): Promise<string | undefined> => {
      const { places } = await read(`site=${site ?? 'none'}`, by)
      return places[0]?.entries.find((each) => each.record === record)?.state
    },
    exempt: (record: string, more: Fields = {}, by: Person = m.owner) =>
      by.call('PUT', url, { record, isApplicable: false, reason: 'No product in this trial.', ...more }),
    register: (participantId: string) => m.owner.do('registerParticipants', m.trial, { participantId }),
  }
}
