/** The monitor's review: queries to the nurses, and answers that are verified against their source. */
import { forEach } from './client'
import { peopleWithAgeQuery } from './expected'
import type { RaisedQuery, Study } from './model'
import { type Entry, entryKey, recordResponse, stageTitle } from './record'

/** The final statuses of queries, in turn. */
const STATUSES: readonly RaisedQuery['status'][] = ['closed', 'answered', 'open']

/** The reports of adverse events, by participant ID. */
const adverse = ({ record }: Pick<Study, 'record'>): Entry[] =>
  [...record.entries.values()]
    .filter(({ stage }) => stage === 'adverse')
    .sort((a, b) => a.person.participantId.localeCompare(b.person.participantId) || a.n - b.n)

/** Raises a query on each adverse event, and marks answers as verified that will be corrected later. */
export async function review(study: Study): Promise<void> {
  const { owner, trial, record, checks, plan } = study
  for (const [n, entry] of adverse(study).entries())
    study.queries.push(await raiseQuery(study, entry, STATUSES[n % 3]!))
  await checkQueries(study)

  const [first] = adverse(study)
  const path = `/trials/${trial._id}/responses`
  const field = trial.fields.ae_severity!
  const marks = (await owner.post(`${path}/${first!.response}/dataTypes/${field}/validations`)).responseValidations
  checks.equal('the marks of a field', fieldsOf(marks, first!.response), [field])
  await forEach(plan.corrections, async ({ person, week, instrument }) => {
    const { response } = record.entries.get(entryKey(person.participantId, stageTitle[instrument](week), week))!
    const { responseValidations } = await owner.post(`${path}/${response}/validations`)
    const fields = [trial.fields[instrument]!, trial.fields[`${instrument}_total`]!]
    checks.equal('the marks of a verified response', fieldsOf(responseValidations, response), fields.sort())
  })
}

type Marks = Record<string, { dataType: string }[]>
const fieldsOf = (marks: Marks, response: string) => (marks[response] ?? []).map(({ dataType }) => dataType).sort()

/** After the corrections: answers that changed are no longer verified, all others still are. */
export async function checkMarks({ owner, trial, plan, record, checks }: Study): Promise<void> {
  const marksOf = async (response: string) =>
    fieldsOf((await owner.get(`/trials/${trial._id}/responses/${response}`)).responseValidations, response)
  await forEach(plan.corrections, async ({ person, week, instrument }) => {
    const key = entryKey(person.participantId, stageTitle[instrument](week), week)
    checks.equal(`the marks of ${key}, corrected`, await marksOf(record.entries.get(key)!.response), [])
  })
  const [first] = adverse({ record })
  checks.equal('a mark of an unchanged answer', await marksOf(first!.response), [trial.fields.ae_severity!])
}

async function raiseQuery(study: Study, entry: Entry, status: RaisedQuery['status']): Promise<RaisedQuery> {
  const { owner, trial, record, checks } = study
  const { site, participantId } = entry.person
  const nurse = trial.nurses[site]!
  const { _id } = await owner.post(`/trials/${trial._id}/queries`, {
    response: entry.response,
    dataType: trial.fields.ae_term,
    text: 'Is there a note of this in the file?',
    assignees: [trial.nurseIds[site]],
  })
  if (status !== 'open') {
    const query = await nurse.post(`/queries/${_id}/messages`, { text: 'Yes, of the same day.' })
    checks.equal('a query after its answer', [query.status, query.messages.length], ['answered', 2])
  }
  if (status === 'closed') {
    await nurse.expectRefusal(403, 'PUT', `/queries/${_id}`, { status })
    record.refusals++
    record.accessRefused++
    await owner.put(`/queries/${_id}`, { status })
    await owner.put(`/trials/${trial._id}/responses/${entry.response}/status`, { status: 'successful' })
    recordResponse(record, { ...entry, status: 'successful' })
  }
  return { _id, response: entry.response, site, participantId, status }
}

type ListedQuery = {
  _id: string
  participantId: string
  status: string
  dataType: string
  rule: string
  isAutomatic: boolean
}

/** Checks that everybody sees the queries of their own participants only, and that each age query was raised once. */
async function checkQueries({ owner, trial, plan, queries, checks, record }: Study): Promise<void> {
  const all: ListedQuery[] = []
  for (let page = 1, more = true; more; page++) {
    const read = await owner.get(`/trials/${trial._id}/queries?perPage=200&page=${page}`)
    all.push(...read.queries)
    more = read.nextPageAvailable
  }
  const expected = (list: readonly RaisedQuery[]) =>
    list.map(({ _id, participantId, status }) => `${_id} ${participantId} ${status}`)
  const actual = (list: readonly ListedQuery[]) =>
    list.filter(({ isAutomatic }) => !isAutomatic).map((each) => `${each._id} ${each.participantId} ${each.status}`)
  checks.equal('the queries', actual(all).sort(), expected(queries).sort())
  for (const [site, nurse] of trial.nurses.entries()) {
    const list = (await nurse.get(`/trials/${trial._id}/queries?perPage=200`)).queries
    const own = queries.filter((query) => query.site === site)
    checks.equal('the queries of a nurse', actual(list).sort(), expected(own).sort())
    const foreign = queries.find((query) => query.site !== site)
    if (!foreign) continue
    await nurse.expectRefusal(404, 'GET', `/queries/${foreign._id}`)
    record.refusals++
  }
  const byRule = all.filter(({ rule, dataType }) => rule === 'instruction' && dataType === trial.fields.birth_year)
  checks.equal(
    'whose age is asked about',
    byRule.map(({ participantId, status }) => `${participantId} ${status}`).sort(),
    peopleWithAgeQuery(plan)
      .map(({ participantId }) => `${participantId} open`)
      .sort(),
  )
}
