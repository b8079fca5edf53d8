/** A trial with hidden fields and somebody who edits its forms. */
import { world } from '../../harness'

/** A trial with an open, a restricted and a PII field, conditions on them that an admin made, and an editor of it. */
export async function createHiddenFieldStudy(options: Parameters<typeof world>[0] = {}) {
  const w = world(options)
  const { owner } = w
  const trial = (await owner.do('createTrial', w.team, { name: 'Blinded' }))._id
  const type = async (code: string, more: object) =>
    (await owner.do('createDataType', trial, { name: code, code, format: 'integer' as const, ...more }))._id
  const open = await type('open', {})
  const other = await type('other', {})
  const lonely = await type('lonely', {})
  const arm = await type('arm', { isRestricted: true })
  const phone = await type('phone', { isPii: true })
  const twice = await type('twice', { format: 'calculation', expression: 'arm * 2' })
  const sum = await type('sum', { format: 'calculation', expression: 'open + other' })
  const field = (dataType: string, more: object = {}) => ({ id: dataType, dataType, title: dataType, ...more })
  const shownBy = (dataType: string, value: unknown = 1) => ({ condition: { dataType, operator: 'equal', value } })
  const rule = { id: 'r', conditions: [{ id: 'c', operator: 'more', scoreThreshold: 3 }], actions: [] }
  const points = (n: number) => ({ scoringRules: [{ id: `p${n}`, points: n, operator: 'exists' }] })
  const fields = [field(open), field(arm), field(phone), field(twice)]
  const plain = (await owner.do('createStage', trial, { name: 'Plain', components: [...fields, field(other)] }))._id
  const blinded = (
    await owner.do('createStage', trial, {
      name: 'Blinded',
      components: [...fields, field(other, shownBy(arm)), field(sum)],
    })
  )._id
  const scored = (
    await owner.do('createStage', trial, {
      name: 'Scored',
      components: [field(open), field(arm, points(2))],
      onSubmitRules: [rule],
    })
  )._id
  // The first line is no rule as long as there is no field with this code.
  await owner.do('updateTrial', trial, { smartAutomaticQueryInstructions: 'sky > 1\nlonely > 1' })
  const editor = w.staff(trial, ['trial.write'])
  return {
    ...w,
    trial,
    open,
    other,
    lonely,
    arm,
    phone,
    twice,
    sum,
    plain,
    blinded,
    scored,
    editor,
    field,
    shownBy,
    points,
    rule,
    fields,
  }
}
export type HiddenFieldStudy = Awaited<ReturnType<typeof createHiddenFieldStudy>>
export type Attempt = [
  what: string,
  operation: string,
  request: (s: HiddenFieldStudy) => [method: string, url: string, body: unknown],
]

export const CREATE_TYPE = 'POST /trials/:trialId/data-types'
export const EDIT_TYPE = 'PUT /data-types/:dataTypeId'
export const CREATE_STAGE = 'POST /trials/:trialId/stages'
export const EDIT_STAGE = 'PUT /stages/:stageId'
export const EDIT_TRIAL = 'PUT /trials/:trialId'

export const importing = (query: string, content: string) => ({ importData: { source: query, content } })
export const stageOf = (s: HiddenFieldStudy, ...components: object[]) => ({
  name: 'New',
  components: [...s.fields, ...components],
})
export const change = (s: HiddenFieldStudy, ...components: object[]): [string, string, unknown] => [
  'PUT',
  `/stages/${s.plain}`,
  { components: [...s.fields, ...components] },
]
