/** Exports as files, for clients that name them in `Accept`: the csv itself, and redirects to files. */
import { describe, expect, test } from 'bun:test'
import { read } from 'xlsx'
import { acceptedNames, acceptedTypes, FILE_TYPES } from '#http/contentNegotiation'
import { world } from '../../harness'
import { present } from '../../present'
import { proof } from '../../proof'
import { study } from './exportStudy'
import { entries } from './exports.study'
import { large } from './largeStudy'

type AcceptStudy = Pick<Awaited<ReturnType<typeof large>>['here'], 'service' | 'owner'>

/** The answer to a request that accepts these types. */
const accepting = ({ service, owner }: AcceptStudy, url: string, accept: string) =>
  service.handle(
    new Request(`http://localhost${url}`, { headers: { ...owner.credentials, Accept: accept } }),
    '192.0.2.1',
  )

async function small() {
  const here = world()
  const of = study(here)
  const note = of.field('note')
  const stage = of.stage('Visit', [note])
  await of.submit(of.participant('P-1'), stage, { [note]: 'a "quote", ; a \\ and\nÜ😀\u2028\ud7ff' })
  const url = `/trials/${of.trial}/responses` as const
  return { here, of, stage, url }
}

test.each([
  [null, []],
  ['text/csv', ['text/csv']],
  ['Text/CSV; charset=utf-8, application/zip;q=0.5', ['text/csv', 'application/zip']],
  ['text/csv;q=0, */*;q=0.0', []],
  ['*/*', ['*/*']],
])('Accept: %p names %p', (accept, types) => {
  expect([...acceptedNames(accept)]).toEqual(types)
})

test.each([
  ['text/csv;q=0.5, application/json', ['application/json']],
  ['application/json;q=0.5, text/csv', ['application/json', 'text/csv']],
  ['application/json, text/csv', ['application/json', 'text/csv']],
  ['text/csv; Q = 0.5, */*', ['*/*']],
  ['text/csv;q=0.5, */*;q=0.1', ['text/csv', '*/*']],
  ['*/*, text/csv', ['*/*', 'text/csv']],
  ['text/csv;q=0.5', ['text/csv']],
  ['application/json;q=0, text/csv;q=0.001', ['text/csv']],
])('Accept: %p asks for %p where JSON is the usual answer', (accept, types) => {
  expect([...acceptedTypes(accept)]).toEqual(types)
})

describe('csv', () => {
  test('is the text of the answer itself, and an entry as the answer is', async () => {
    const { here, of, url } = await small()
    const { csv } = await here.owner.do('exportResponses', of.trial, { type: 'csv', escape: 'none' })
    const response = await accepting(here, `${url}?type=csv&escape=none`, 'text/html, text/csv')
    expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'Accept',
    ])
    expect(response.headers.get('x-service-version')).not.toBeNull()
    expect(await response.text()).toBe(csv)
    expect(entries(here, 'exportResponse')).toHaveLength(2)
    // So is a list that is exported without a worker.
    const participants = await here.owner.do('listParticipants', of.trial, { format: 'csv' })
    const list = await accepting(here, `/trials/${of.trial}/participants?format=csv`, 'text/csv')
    expect(await list.text()).toBe((participants as { csv: string }).csv)
  })

  proof('a large one is sent while it is written', async () => {
    const { here, url, trial } = await large()
    const { csv } = await here.owner.do('exportResponses', trial, { type: 'csv' })
    const response = await accepting(here, `${url}?type=csv`, 'text/csv')
    const reader = present(response.body).getReader()
    const decoder = new TextDecoder()
    let [text, pieces] = ['', 0]
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += decoder.decode(next.value, { stream: true })
      pieces++
    }
    expect([text === csv, pieces > 5]).toEqual([true, true])
  })

  test('a refusal, JSON, and an answer that nobody asks for otherwise stay as they are', async () => {
    const { here, url } = await small()
    const refused = await accepting(here, `${url}?type=csv&stages=000000000000000000000000`, 'text/csv')
    expect([refused.status, refused.headers.get('content-type')]).toEqual([422, 'application/json'])
    for (const [query, accept] of [
      ['type=csv', '*/*'],
      ['type=csv', 'application/json'],
      ['type=csv', 'text/csv;q=0.5, application/json'],
      ['type=json', 'text/csv'],
      ['type=excel', 'text/csv, application/zip'],
    ] as const) {
      const response = await accepting(here, `${url}?${query}`, accept)
      expect([query, accept, response.status, response.headers.get('content-type')]).toEqual([
        ...[query, accept, 200, 'application/json'],
      ])
      await response.json()
    }
  })
})

describe('a link is followed', () => {
  const file = async (
    here: AcceptStudy & Pick<Awaited<ReturnType<typeof small>>['here'], 'fetch'>,
    url: string,
    type: string,
  ) => {
    const response = await accepting(here, url, type)
    expect([response.status, response.headers.get('vary')]).toEqual([303, 'Accept'])
    const location = present(response.headers.get('location'))
    expect(await response.json()).toEqual({ request: location })
    const followed = await here.fetch(location)
    expect(followed.status).toBe(200)
    return new Uint8Array(await followed.arrayBuffer())
  }

  test('to a workbook, and to a package', async () => {
    const { here, url } = await small()
    const book = read(await file(here, `${url}?type=excel`, FILE_TYPES.xlsx), { type: 'array' })
    expect(book.SheetNames).toContain('Visit')
    const zip = await file(here, `${url}?type=spss`, FILE_TYPES.zip)
    expect([...zip.subarray(0, 2)]).toEqual([0x50, 0x4b])
    expect([...(await file(here, `${url}?type=parquet`, FILE_TYPES.zip)).subarray(0, 2)]).toEqual([0x50, 0x4b])
  })

  test('to one file of Parquet, with the rows that a csv has', async () => {
    const { here, stage, url } = await small()
    const bytes = await file(here, `${url}?type=parquet&stages=${stage}`, FILE_TYPES.parquet)
    expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe('PAR1')
    expect(new TextDecoder().decode(bytes.subarray(-4))).toBe('PAR1')
  })
})
