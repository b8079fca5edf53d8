/** A trial with configuration versions. */
import fc from 'fast-check'
import type { Snapshot } from '#design/configurationVersions/model'
import { world } from '../../harness'

export const nothing: Snapshot = {
  ...{ dataTypes: [], stages: [], stageGroups: [], anchors: [], groups: [], sites: [], consentForms: [] },
  settings: {},
}

/** A trial with two data types and two stages, and the path of its versions. */
export async function configured() {
  const w = world()
  const { owner } = w
  const id = w.trial()
  const url = `/trials/${id}/configuration-versions` as const
  const dataTypes: Record<string, string> = {}
  for (const code of ['pulse', 'mass']) {
    const made = await owner.do('createDataType', id, { name: `The ${code}`, code, format: 'integer' })
    dataTypes[code] = made._id
  }
  const components = Object.entries(dataTypes).map(([code, dataType]) => ({ id: code, dataType, title: code }))
  const first = (await owner.do('createStage', id, { name: 'Visit 1', components }))._id
  const second = (await owner.do('createStage', id, { name: 'Visit 2' }))._id
  return { ...w, id, url, dataTypes, components, first, second }
}

const option = fc.record({ code: fc.nat(9), label: fc.constantFrom('Yes', 'No', 'Maybe') })

const component = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  title: fc.constantFrom('One', 'Two'),
  isRequired: fc.option(fc.boolean()),
  options: fc.uniqueArray(option, { selector: ({ code }) => code, maxLength: 4 }),
})

export const stage = fc.record({
  _id: fc.nat(9).map((n) => `${n}`.repeat(24)),
  name: fc.constantFrom('Visit', 'Diary', 'Visit "3"'),
  components: fc.uniqueArray(component, { selector: ({ id }) => id }),
  reminders: fc.array(fc.record({ hour: fc.nat(2), body: fc.constantFrom('x', 'y') }), { maxLength: 3 }),
  recurrenceNames: fc.option(fc.array(fc.constantFrom('A', 'B'), { maxLength: 4 })),
})

export const stages = fc.uniqueArray(stage, { selector: ({ _id }) => _id, maxLength: 6 })
