/** The writes of the trial office that the server is killed under: packs, allocations, files, monitoring visits. */
import { answers, guaranteeAt, uploaded, type Write } from './guarantees'
import { type Api, ask } from './server'

type OfficeSetup = { site: string; types: [string, string]; other: string; randomisation: string }

/** Makes the site, the types of packs and the randomisation that the writes are about. */
export async function prepareOffice(api: Api, at: string): Promise<OfficeSetup> {
  const made = async (path: string, body: unknown): Promise<string> => (await ask(api, 'POST', path, body)).body._id
  const site = await made(`${at}/sites`, { name: 'North', id: 'N1' })
  const types: [string, string] = [
    await made(`${at}/pack-types`, { name: 'Active' }),
    await made(`${at}/pack-types`, { name: 'Placebo' }),
  ]
  // Of the arms' types, an allocation may take any pack.
  const other = await made(`${at}/pack-types`, { name: 'Rescue medication' })
  const randomisation = await made(`${at}/randomisations`, {
    name: 'Main',
    method: 'minimisation',
    factors: [{ name: 'Site', type: 'site' }],
    arms: types.map((packType, index) => ({ name: `Arm ${index}`, packType })),
  })
  await ask(api, 'POST', `/randomisations/${randomisation}/sealing`, {})
  return { site, types, other, randomisation }
}

/** These writes, by what they are called in a report. */
export function officeWritesOf({ at, office }: { at: string; office: OfficeSetup }): Readonly<Record<string, Write>> {
  const { site, types, other, randomisation } = office

  async function member(api: Api, participantId: string): Promise<string> {
    const { body } = await ask(api, 'POST', `${at}/participants`, { participantId })
    const _id = body.participants?.[0]?._id ?? body._id
    await ask(api, 'PUT', `/sites/${site}/memberships/${_id}`)
    return _id
  }
  async function pack(api: Api, packType: string, name: string): Promise<string> {
    const own = { ...api, repeat: `${api.repeat} ${packType}` } // one write may create several
    return (await ask(own, 'POST', `${at}/packs`, { packType, name, assignedToSite: site })).body.packs[0]._id
  }

  return {
    async pack(api, n) {
      const [participant, given] = [await member(api, `K-${n}`), await pack(api, other, `Pack ${n}`)]
      await ask(api, 'PUT', `${at}/participants/${participant}/packs/${given}`, {})
      return guaranteeAt(
        `the dispensed pack ${n}`,
        `/packs/${given}/events`,
        ({ events }) => JSON.stringify(events.map(({ type }: { type: string }) => type)) === '["received","dispensed"]',
      )
    },
    async packs(api, n) {
      const packs = Array.from({ length: 20 }, (_, each) => ({ name: `Bulk ${n}-${each}` }))
      const { body } = await ask(api, 'POST', `${at}/packs`, { packType: other, packs })
      const ids: string[] = body.packs.map(({ _id }: { _id: string }) => _id)
      await ask(api, 'PUT', '/packs/update', { ids, batchNumber: `${n}` })
      await ask(api, 'POST', '/packs/events', { ids, type: 'quarantined', reason: 'Recall' })
      const isSo = ({ batchNumber, state }: Record<string, string>) => batchNumber === `${n}` && state === 'quarantined'
      const path = `${at}/packs?term=Bulk ${n}-`
      return guaranteeAt(`the changed packs ${n}`, path, ({ packs }) => packs.length === 20 && packs.every(isSo))
    },
    // Written in several transactions, and shown by one: packs of an import that was killed are seen by nobody.
    async packImport(api, n) {
      const rows = Array.from({ length: 200 }, (_, each) => `Import ${n}-${each}`)
      await ask(api, 'POST', `${at}/packs/import`, { packType: other, content: ['name', ...rows].join('\n') })
      return guaranteeAt(
        `the 200 packs of import ${n}`,
        `${at}/packs?term=Import ${n}-`,
        ({ packs }) => packs.length === 200,
      )
    },
    async allocation(api, n) {
      const participant = await member(api, `A-${n}`)
      for (const type of types) await pack(api, type, `Of allocation ${n}`)
      const { body } = await ask(api, 'POST', `/randomisations/${randomisation}/allocations`, { participant })
      return guaranteeAt(
        `the allocation ${n}`,
        `/randomisations/${randomisation}/allocations?participant=${participant}`,
        ({ allocations: [found] }) =>
          found._id === body._id && found.number === body.number && found.pack._id === body.pack._id,
      )
    },
    async file(api, n) {
      const content = `${n} `.repeat(3_000)
      const { body: file } = await ask(api, 'POST', `${at}/files`, { name: `File ${n}`, type: 'other' })
      const storedName = await uploaded(api, `scan${n}.png`, content, `forType=trial&forId=${file.trial}`)
      await ask(api, 'POST', `/files/${file._id}/versions`, { storedName })
      return {
        what: `the version of file ${n}`,
        async holds(api) {
          const { versions } = (await ask(api, 'GET', `/files/${file._id}/versions`)).body
          return versions.length === 1 && (await answers(api, versions[0].url, content))
        },
      }
    },
    // Its text is read for the search in the background, whatever is killed in between.
    async preview(api, n) {
      const content = `Letter ${n} `.repeat(500)
      const { body: file } = await ask(api, 'POST', `${at}/files`, { name: `Letter ${n}`, type: 'correspondence' })
      const storedName = await uploaded(
        api,
        `letter${n}.txt`,
        content,
        `forType=trial&forId=${file.trial}`,
        'text/plain',
      )
      await ask(api, 'POST', `/files/${file._id}/versions`, { storedName })
      await ask(api, 'GET', `/files/${file._id}/preview`)
      return {
        what: `the text and the preview of letter ${n}`,
        async holds(api) {
          const [version] = (await ask(api, 'GET', `/files/${file._id}/versions`)).body.versions
          const { mimeType } = (await ask(api, 'GET', `/files/${file._id}/preview`)).body
          return version.textState !== 'failed' && mimeType.startsWith('text/')
        },
      }
    },
    // A zip that was killed is made again, or its job says why it ended.
    async masterFile(api, n) {
      await ask(api, 'POST', `${at}/files/reports`, {})
      const { body } = await ask(api, 'POST', `${at}/files/archives`, {})
      const isSo = ({ status, error }: Record<string, string>) => status !== 'error' || Boolean(error)
      return guaranteeAt(`the job of zip ${n}`, `/jobs/${body.jobId}`, isSo)
    },
    async visit(api, n) {
      const { body: visit } = await ask(api, 'POST', `/sites/${site}/site-monitoring`, { id: `MV-${n}` })
      const issue = { name: `Issue ${n}`, category: 'eSource', severity: 'minor' }
      await ask(api, 'POST', `/site-monitoring/${visit._id}/site-issues`, issue)
      await ask(api, 'PUT', `/site-monitoring/${visit._id}`, { status: 'completed' })
      return guaranteeAt(`the monitoring visit ${n}`, `/sites/${site}/site-monitoring`, ({ siteMonitoring }) =>
        siteMonitoring.some(
          (each: { _id: string; status: string }) => each._id === visit._id && each.status === 'completed',
        ),
      )
    },
  }
}
