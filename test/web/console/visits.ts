/** A server with a study for the pages of staff, and people who come to them. */
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { teamMembers } from '#db/tables/index'
import { listen } from '#server/listen'
import { PASSWORD, type World, world } from '../../harness'
import { type BrowserOptions, faultsOf, inBrowser, violations } from '../browser'

export type Ward = Awaited<ReturnType<typeof ward>>

/** A study with two sites, a group and participants, its owner, a nurse of one site, somebody who only reads, and somebody who has to do with files only. */
export async function ward({ people = 30, ...more }: { people?: number; code?: string } = {}) {
  const here = world()
  const { owner } = here
  const trial = here.trial({ name: 'Sleep and Recovery', code: 'SR-24', timezone: 'Europe/London', ...more })
  const [harbour, northfield] = await Promise.all(
    ['Harbour', 'Northfield'].map(async (name) => (await owner.do('createSite', trial, { name, id: name }))._id),
  )
  const { _id: group } = await owner.do('createGroup', trial, { name: 'Group A' })
  const { participants } = await owner.do('registerParticipants', trial, {
    participants: Array.from({ length: people }, (_, at) => ({
      participantId: `P-${`${at + 1}`.padStart(4, '0')}`,
      ...(at % 3 ? {} : { group }),
    })),
  })
  for (const { _id } of participants.slice(0, 4)) await owner.do('addSiteMember', harbour!, _id)
  const words = ['readParticipants', 'registerParticipants', 'readParticipantStudyData', 'access']
  const nurse = here.staff(
    trial,
    words.map((each) => `site.${each}`),
    harbour!,
  )
  const reader = here.staff(trial, ['trial.read'])
  // Who works with files only.
  const filer = here.staff(trial, ['trial.readFiles'])
  // Who has a permission in a study is in its team.
  for (const { _id } of [nurse, reader, filer])
    here.db.insert(teamMembers).values({ team: here.team, user: _id, permissions: [] }).run()
  for (const each of [owner, nurse, reader, filer]) await here.signIn(each)
  const server = listen(here.service, { host: '127.0.0.1', port: 0 })
  return {
    ...here,
    trial,
    harbour: harbour!,
    northfield: northfield!,
    group,
    participants,
    nurse,
    reader,
    filer,
    server,
    base: `http://127.0.0.1:${server.port}`,
  }
}

type Visit = {
  page: Page
  /** Nothing is wrong with the page: no rule of axe is broken, no error, nothing refused by the policy, nobody else asked. */
  sound(state: string): Promise<void>
  /** Waits until the list has this many rows. */
  counts(words: string): Promise<void>
}

/** Somebody in a browser of their own, signed in by the keyboard alone. */
export async function visiting(
  { base }: Pick<Ward, 'base'>,
  { email }: { email: string },
  path: string,
  act: (visit: Visit) => Promise<void>,
  options: BrowserOptions = {},
): Promise<void> {
  await inBrowser(
    async (page) => {
      const faults = faultsOf(page, base)
      page.setDefaultTimeout(20_000)
      await page.goto(base + path)
      await signIn(page, email)
      await act({
        page,
        sound: async (state) => expect([state, await violations(page), faults]).toEqual([state, [], []]),
        counts: (words) => page.locator('.head').getByText(words, { exact: true }).waitFor(),
      })
      expect(faults).toEqual([])
    },
    { viewport: { width: 1440, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce', ...options },
  )
}

/** Fills in the form for signing in, by the keyboard alone. */
export async function signIn(page: Page, email: string, password = PASSWORD, code = ''): Promise<void> {
  await page.locator('[name=email]').focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Tab') // the button that shows the characters
  await page.keyboard.press('Tab')
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

export type { World }
