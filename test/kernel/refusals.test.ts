/** The catalogue of refusals: each code stands once, has whole sentences, is used, and reaches programs. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { isUnreadable, unreadable } from '#kernel/fault'
import { refuse } from '#kernel/problem'
import { at, type Code, coded, placedText, reason } from '#kernel/refusals/reason'
import { sentences } from '#kernel/refusals/sentences'
import { world } from '../harness'
import { createTestStorage } from '../storage/testStorage'

const folder = join(import.meta.dir, '../../src')
const paths = [...new Glob('**/*.{ts,tsx}').scanSync(folder)]
const isCatalogue = (path: string) => path.startsWith('kernel/refusals/') && !/\/(reason|sentences)\.ts$/.test(path)
const sources = await Promise.all(
  paths
    .filter((path) => !isCatalogue(path))
    .map(async (path) => [path, await Bun.file(join(folder, path)).text()] as const),
)
const catalogues = await Promise.all(
  paths.filter(isCatalogue).map(async (path) => {
    const [catalogue] = Object.values<Record<string, string>>(await import(join(folder, path)))
    return [path, Object.keys(catalogue!)] as const
  }),
)
const all: Readonly<Record<string, string>> = sentences
const codes = [...new Set(Object.keys(all).map((key) => key.replace(/\.(one|other)$/, '')))]
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name]) => name!)

describe('the catalogue', () => {
  test('has each code in one file only, and all files', () => {
    const keys = catalogues.flatMap(([, keys]) => keys)
    const double = keys.filter((key, index) => keys.indexOf(key) !== index)
    expect(double).toEqual([])
    expect(keys.toSorted()).toEqual(Object.keys(all).toSorted())
  })

  test('has codes of one form, or of one for each number, with the same values in both', () => {
    const wrong = codes.flatMap((code) => {
      const [plain, one, other] = [all[code], all[`${code}.one`], all[`${code}.other`]]
      if (plain !== undefined) return one === undefined && other === undefined ? [] : [`${code}: two kinds of forms`]
      if (one === undefined || other === undefined) return [`${code}: a form is missing`]
      if (!placeholders(other).includes('count')) return [`${code}: no count`]
      const names = (text: string) => [...new Set(placeholders(text))].filter((name) => name !== 'count').sort()
      return Bun.deepEquals(names(one), names(other)) ? [] : [`${code}: other values`]
    })
    expect(wrong).toEqual([])
  })

  test('names codes in camel case, and its values are well written', () => {
    expect(codes.filter((code) => !/^[a-z][A-Za-z0-9]*$/.test(code))).toEqual([])
    const wrong = Object.entries(all).filter(
      ([, text]) => /\{/.test(text.replace(/\{\w+(?::(?:and|or))?\}/g, '')) || text.trim() !== text || text === '',
    )
    expect(wrong).toEqual([])
  })

  test('is in the manual with every code', async () => {
    const docs = join(import.meta.dir, '../../docs')
    const pages = await Promise.all(
      [...new Glob('refusals*.md').scanSync(docs)].map((name) => Bun.file(join(docs, name)).text()),
    )
    const listed = new Set(pages.flatMap((page) => [...page.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code!)))
    expect(codes.filter((code) => !listed.has(code))).toEqual([])
  })

  test('has only codes that the service uses', () => {
    const words = new Set(sources.flatMap(([, text]) => text.match(/(?<=['"])[a-z][A-Za-z0-9]*(?=['"])/g) ?? []))
    expect(codes.filter((code) => !words.has(code))).toEqual([])
  })
})

test('every refusal has a code', () => {
  const kinds = 'bad|forbidden|conflict|unavailable|unauthenticated|signIn|wrongProof'
  const sentence = '[\'"`](?:[A-Z$]|[^\'"`\\n]* )'
  const forms = [
    new RegExp(`\\brefuse\\.(?:${kinds})\\(\\s*${sentence}`, 'g'),
    new RegExp(`\\bunreadable\\(\\s*${sentence}`, 'g'),
    new RegExp(`\\brefuse\\.invalid\\(\\s*\\{[^{}]*:\\s*\\[\\s*${sentence}`, 'g'),
  ]
  const left = sources.flatMap(([path, text]) =>
    forms.flatMap((form) =>
      [...text.matchAll(form)].map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`),
    ),
  )
  expect(left).toEqual([])
})

describe('a reason', () => {
  test('has its sentence with lists, numbers and further reasons filled in', () => {
    const object = reason('formObjectWith', { fields: reason('withFields', { names: ['a', 'b'] }) })
    const why = reason('notForm', { forms: [reason('formList'), object, 'null'] })
    expect(why.text).toBe('Must be a list, an object with the fields a, b or null.')
    expect(coded(why)).toEqual({
      code: 'notForm',
      params: {
        forms: [
          { code: 'formList' },
          { code: 'formObjectWith', params: { fields: { code: 'withFields', params: { names: ['a', 'b'] } } } },
          'null',
        ],
      },
    })
    expect([1, 2].map((count) => reason('tooLong', { count }).text)).toEqual([
      'Must be at most 1 character.',
      'Must be at most 2 characters.',
    ])
  })

  test.each(codes)('%s leaves no placeholder', (code) => {
    const names = placeholders(all[code] ?? all[`${code}.other`]!)
    for (const count of [1, 2]) {
      const params = Object.fromEntries(names.map((name) => [name, name === 'count' ? count : ['a', 'b']]))
      const { text } = reason(code as Code as 'taken', params as never)
      expect(text).not.toMatch(/[{}]|undefined|\[object/)
      expect(text).not.toBe(code)
    }
  })

  test('may be about a place inside a field', () => {
    const why = at(0, at('id', reason('empty')))
    expect([why.at, placedText(why)]).toEqual(['0.id', '0.id: Must not be empty.'])
  })

  test('refuses a file, with what the file is called', () => {
    const error = unreadable(reason('fileUnreadable', { name: 'a.pdf', problem: reason('tooManyPages', { most: 9 }) }))
    expect(isUnreadable(error)).toBe(true)
    const { status, body } = refuse.bad(error.reason)
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        message: 'The file “a.pdf” cannot be read. It has more than 9 pages.',
        details: {
          code: 'fileUnreadable',
          params: { name: 'a.pdf', problem: { code: 'tooManyPages', params: { most: 9 } } },
        },
      },
    })
  })
})

describe('a refused request gets the code and the values of its refusal', () => {
  test('400: what cannot be done', async () => {
    const { owner, trial } = world()
    const url = `/trials/${trial()}/participants`
    await owner.post(url, { participantId: 'P-1' })
    const { status, body } = await owner.call('POST', url, { participantId: 'P-1' })
    expect([status, body.details]).toEqual([400, expect.objectContaining({ code: 'taken' })])
    expect(body.details.params).toMatchObject({ value: 'P-1' })
  })

  test('403: a permission that is missing, which has a list', async () => {
    const w = world()
    const trial = w.trial()
    const reader = w.staff(trial, ['trial.read'])
    const { status, body } = await reader.call('POST', `/trials/${trial}/groups`, { name: 'Arm A' })
    expect([status, body.details.code, Array.isArray(body.details.params.needs)]).toEqual([403, 'permission', true])
    expect(body.message).toBe(reason('permission', { needs: body.details.params.needs }).text)
  })

  test('401: another credential, with reasons inside', async () => {
    const { owner } = world()
    const { status, body } = await owner.call('GET', '/participants/me')
    expect([status, body.details]).toEqual([
      401,
      {
        code: 'otherCredential',
        params: { needed: [{ code: 'credentialOfParticipant' }], given: { code: 'credentialApiKey' } },
      },
    ])
    expect(body.message).toBe(
      'This needs a participant token (Authorization: Bearer …), which a sign-in of the participant gives. The request has an API key.',
    )
  })

  test('409: something is not as the sender believes', async () => {
    const storage = await createTestStorage()
    try {
      const { link } = storage.announce(10, 'application/pdf')
      const headers = { 'Content-Type': 'application/pdf', 'Content-Range': 'bytes 5-9/10' }
      const answer = await fetch(link, { method: 'PUT', body: new Uint8Array(5), headers })
      expect([answer.status, await answer.json()]).toEqual([
        409,
        {
          message: 'The next part begins with byte 0.',
          details: { code: 'otherPart', params: { received: 0 }, received: 0 },
        },
      ])
    } finally {
      await storage.close()
    }
  })

  test('422: fields that are not valid, and places inside them', async () => {
    const { owner, trial } = world()
    const body = { participants: [{ participantId: 'P-1' }, { participantId: 7 }], other: 1 }
    const refused = await owner.call('POST', `/trials/${trial()}/participants`, body)
    expect(refused.status).toBe(422)
    const { code, fields, problems } = refused.body.details
    expect(code).toBe('invalid')
    expect(problems).toMatchObject({ 'participants.1.participantId': { code: 'notText' } })
    expect(Object.keys(problems).toSorted()).toEqual(Object.keys(fields).toSorted())
  })
})
