/**
 * Somebody taps at random: no page is blank, nothing is wrong in the browser, and there is always a way back. The taps are
 * others each time, but in CI. `TRIALBOX_MONKEY_SEED` repeats a series, `TRIALBOX_MONKEY_TAPS` says how many.
 */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { fillIn, onDevice, phone, type StudyVisit, withStudy } from './appVisits'
import { chromium, faultsOf } from './browser'
import { isShown } from './tapping'
import { OFFLINE } from './ward'

const { TRIALBOX_MONKEY_SEED: chosen, TRIALBOX_MONKEY_TAPS: many } = process.env
const TAPS = Number(many ?? 2_000)
const random = () => Math.floor(Math.random() * 2 ** 31)
const SEEDS = [chosen !== undefined ? Number(chosen) : process.env.CI ? 1 : random()]

const tablet = { ...phone, viewport: { width: 820, height: 1180 } }
/** The screens, each with its part of the taps: on a larger one the menu stands elsewhere, and more is in reach at once. */
const SCREENS = [
  { name: 'a phone', screen: phone, taps: Math.ceil(TAPS * 0.7) },
  { name: 'a tablet', screen: tablet, taps: Math.floor(TAPS * 0.3) },
]
const RUNS = SEEDS.flatMap((seed) => SCREENS.map((each) => ({ ...each, seed })))

/** Numbers from 0 to 1 that follow from the seed. */
function numbersOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const TEXTS = ['1', '70', '-3.5', 'Well, thank you.', '\ud83c', 'حسنًا', '2026-03-02', 'x'.repeat(300), ' ', '<b>']

type Target = { x: number; y: number; what: string; isText: boolean; isMenu: boolean }

/** What a finger reaches on the part of the page that is shown. Nothing that leads out of the app. */
const targets = (page: Page): Promise<Target[]> =>
  page.evaluate(() => {
    const found: Target[] = []
    const all = 'a[href], button, input, select, textarea, summary, label, [role=slider], [role=option]'
    for (const element of document.querySelectorAll<HTMLElement>(all)) {
      if (element instanceof HTMLAnchorElement && (element.target || !element.pathname.startsWith('/app/'))) continue
      if (element instanceof HTMLInputElement && element.type === 'file') continue
      if (element.querySelector('input[type=file]')) continue
      const box = element.getBoundingClientRect()
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      if (!box.width || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue
      const top = document.elementFromPoint(x, y)
      if (!top || !(element.contains(top) || top.contains(element) || top.closest('label') === element)) continue
      const isText =
        element instanceof HTMLTextAreaElement ||
        (element instanceof HTMLInputElement &&
          !['radio', 'checkbox', 'range', 'button', 'submit'].includes(element.type))
      const what = `${element.tagName.toLowerCase()} ${(element.getAttribute('aria-label') ?? element.textContent).slice(0, 40)}`
      found.push({ x, y, what, isText, isMenu: element.closest('.menu-bar') !== null })
    }
    return found
  })

/** Signs in again where the tap signed out. */
async function comeBack(page: Page, where: StudyVisit): Promise<void> {
  const isOut = await page.locator('.front [name=password]').filter({ visible: true }).count()
  if (!isOut) return
  const other = page.getByRole('button', { name: 'Somebody else?' })
  if (await other.count()) await other.click()
  if (await page.locator('[name=trialCode]').count()) await fillIn(page, where)
  await page.locator('.form-card, .lines, .empty').first().waitFor()
}

/** One thing that a person does. Returns what it was. */
async function act(page: Page, next: () => number): Promise<string> {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)]
  const dice = next()
  if (dice < 0.04)
    return page.goBack({ waitUntil: 'commit' }).then(
      () => 'back',
      () => 'back, at the end',
    )
  if (dice < 0.06) {
    await page.keyboard.press('Escape')
    return 'Escape'
  }
  if (dice < 0.09) {
    const isOffline = next() < 0.5
    await page.context().setOffline(isOffline)
    return isOffline ? 'without a connection' : 'with a connection'
  }
  if (dice < 0.22) {
    await page.mouse.wheel(0, (next() - 0.3) * 1200)
    return 'scroll'
  }
  const all = await targets(page)
  // The menu is on every page, and would be half of all taps.
  const target = pick(next() < 0.75 ? all.filter(({ isMenu }) => !isMenu) : all) ?? pick(all)
  if (!target) return 'nothing to tap'
  await page.touchscreen.tap(target.x, target.y)
  if (target.isText) await page.keyboard.insertText(pick(TEXTS) ?? '')
  return `tap ${target.what}`
}

async function tapAtRandom(page: Page, where: StudyVisit, seed: number, taps: number): Promise<void> {
  const next = numbersOf(seed)
  const done: string[] = []
  const faults = faultsOf(page, where.base)
  // Files and other windows are somebody else's matter.
  page.on('filechooser', () => undefined)
  page.on('dialog', (dialog) => void dialog.accept())
  page.on('popup', (popup) => void popup.close())
  try {
    for (let count = 0; count < taps; count++) {
      done.push(`${await act(page, next)} (${new URL(page.url()).pathname.slice(0, 30)})`)
      await comeBack(page, where)
      await isShown(page)
      const wrong = faults.filter((fault) => !OFFLINE.test(fault))
      expect(wrong).toEqual([])
    }
    await page.context().setOffline(false)
    await page.goto(`${where.base}/app/`)
    await isShown(page)
  } catch (reason) {
    console.error(
      `TRIALBOX_MONKEY_SEED=${seed} failed after ${done.length} steps; the last ones:\n${done.slice(-12).join('\n')}`,
    )
    throw reason
  }
}

describe.skipIf(!chromium)('taps at random', () => {
  test.each(RUNS)(
    'lead nowhere that is blank, on $name, from the seed $seed',
    async ({ screen, seed, taps }) => {
      await withStudy((where) =>
        onDevice(async (page) => {
          await page.goto(`${where.base}/app/`)
          await fillIn(page, where)
          await page.locator('.form-card').first().waitFor()
          await tapAtRandom(page, where, seed, taps)
        }, screen),
      )
    },
    1_200_000,
  )
})
