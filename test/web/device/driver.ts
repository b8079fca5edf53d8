/** A device and the people around it: each step is something that they, the line, the server or the staff do. */
import type { FormDraft } from '#web/form/answers/draft'
import type { KeptAnswer } from '#web/form/answers/model'
import { fakeServer, type Outcome } from './fakeServer'
import { machine } from './machine'
import { readDevice } from './readDevice'
import { openTab, type Tab } from './tab'

export type Step =
  | { do: 'open' }
  | { do: 'kill' | 'hide' | 'sendNow' | 'signOut' | 'reopen' | 'discard'; tab: number }
  | { do: 'signIn'; tab: number; who: string }
  | { do: 'keep' | 'send' | 'afresh' | 'leave'; tab: number; form: string; hasFile: boolean }
  | { do: 'line'; outcome: Outcome; request: number }
  | { do: 'wait'; milliseconds: number }
  | { do: 'end'; who: string }
  | { do: 'accept'; index: number }

/** A form that is open in a tab, with what the person has answered in it, and since when. */
type Form = {
  draft: FormDraft
  who: string
  answers: Record<string, KeptAnswer>
  typed: Map<string, number>
  isOver: boolean
  isSending: boolean
}
type OpenTab = { tab: Tab; forms: Map<string, Form> }

/** Milliseconds after which an answer is on the device. */
const KEPT = 250

/** Turns without work after which nothing goes on any more. */
const IDLE = 15

const MOST_TABS = 3

export async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise<void>((resolve) => setImmediate(resolve))
}

const fieldsOf = ({ answers }: { answers: object }): string[] => Object.keys(answers)

export type Driver = Awaited<ReturnType<typeof driver>>

export async function driver() {
  const device = machine(Date.parse('2026-03-02T12:00:00Z'))
  const server = fakeServer()
  const tabs: OpenTab[] = []
  /** Answers that the app must not lose, by the name of their field: whose they are. The person may give them up. */
  const promised = new Map<string, string>()
  /** Entries that the person has taken back, to correct them: what the staff do with their copy is their decision. */
  const mended = new Set<string>()
  /** The place of each entry in the order in which the person sent. */
  const numbers = new Map<string, number>()
  let last = 0

  /** Until nothing goes on any more, except on the line and by the clock. */
  async function runUntilIdle(): Promise<void> {
    for (let idle = 0, before = device.work(); idle < IDLE; idle++) {
      await turns(1)
      if (device.work() !== before) idle = 0
      before = device.work()
    }
    for (const { tab, forms } of tabs)
      for (const { typed, who } of forms.values()) {
        if (tab.device.personNow.value?.who !== who) continue
        for (const [field, at] of typed) {
          if (device.now() - at < KEPT) continue
          promised.set(field, who)
          typed.delete(field)
        }
      }
  }
  /** What a person gives up with their drafts. */
  async function draftsLost(who: string | undefined): Promise<void> {
    const { queue } = await readDevice(device)
    const safe = new Set([
      // What is about to be a draft again is as good as one.
      ...queue.filter(({ id }) => !mended.has(id)).flatMap(fieldsOf),
      ...[...server.stored, ...server.held].flatMap(({ response }) => Object.keys(response)),
    ])
    for (const [field, owner] of promised) if (owner === who && !safe.has(field)) promised.delete(field)
    for (const { forms } of tabs) for (const [name, form] of forms) if (form.who === who) over(forms, name)
  }
  function over(forms: OpenTab['forms'], name: string): void {
    const form = forms.get(name)
    if (form) form.isOver = true
    form?.draft.close()
    forms.delete(name)
  }
  /** The form in a tab: it is opened if it is not. */
  async function formIn({ tab, forms }: OpenTab, name: string): Promise<Form | undefined> {
    const who = tab.device.personNow.value?.who
    if (who === undefined) return
    const known = forms.get(name)
    if (known?.who === who) return known
    over(forms, name)
    let opened: Form | undefined
    void tab.device.openDraft(name).then(
      (draft) => {
        opened = { draft, who, answers: { ...draft.kept?.answers }, typed: new Map(), isOver: false, isSending: false }
      },
      () => undefined,
    )
    await runUntilIdle()
    // Somebody may have signed out meanwhile, in another tab.
    if (!opened || tab.device.personNow.value?.who !== who) return
    forms.set(name, opened)
    return opened
  }
  async function keep(place: OpenTab, name: string, hasFile: boolean): Promise<void> {
    const form = await formIn(place, name)
    if (!form || form.draft.isReadOnly) return
    const part = () => ({ answers: { ...form.answers }, screen: 0, version: 'v', opened: 'o' })
    // The form takes no answers while it is sent. Somebody may go from one screen to another.
    if (form.isSending) return form.draft.keep(part())
    const field = `${form.who} #${++last}`
    let value: unknown = field
    if (hasFile) {
      void form.draft.keepFile(new Blob([field]), 'photo.png').then(
        (file) => {
          value = file
        },
        () => undefined,
      )
      await runUntilIdle()
      if (value === field || form.isOver || place.tab.isKilled()) return
    }
    form.answers[field] = { value, createdAt: new Date(device.now()).toISOString() }
    form.typed.set(field, device.now())
    form.draft.keep(part())
  }
  async function send(place: OpenTab, name: string): Promise<void> {
    const form = await formIn(place, name)
    if (!form || form.draft.isReadOnly || !Object.keys(form.answers).length) return
    if (form.isSending) return
    form.isSending = true
    form.draft.send('Diary', { text: null, messages: [] }).then(
      () => {
        // The app has said that they are kept, or what became of them.
        for (const field of form.typed.keys()) promised.set(field, form.who)
        if (place.forms.get(name) === form) over(place.forms, name)
      },
      () => {
        form.isSending = false
      },
    )
  }
  /** Opens a tab. */
  async function open(): Promise<void> {
    if (tabs.length >= MOST_TABS) return
    const tab = await openTab(device)
    void tab.device.begin().catch(() => undefined)
    tabs.push({ tab, forms: new Map() })
    await runUntilIdle()
  }
  /** Lets time pass, with everything that happens meanwhile. */
  async function wait(milliseconds: number): Promise<void> {
    const end = device.now() + milliseconds
    for (let next = device.nextTimer(); next !== undefined && next <= end; next = device.nextTimer()) {
      device.forward(Math.max(0, next - device.now()))
      await runUntilIdle()
    }
    device.forward(Math.max(0, end - device.now()))
  }
  /** Serves what waits on the line, as it should be. @param which what is served; all of it without */
  async function serve(which: (path: string) => boolean = () => true): Promise<void> {
    for (;;) {
      await runUntilIdle()
      const at = device.line.findIndex(({ path }) => which(path))
      const [next] = at < 0 ? [] : device.line.splice(at, 1)
      if (!next) return
      server.answer(next, { kind: 'served' })
    }
  }
  async function signIn({ tab }: OpenTab, who: string): Promise<void> {
    const before = tab.device.personNow.value?.who ?? (await readDevice(device)).own?.who
    if (before !== `T/${who}`) await draftsLost(before)
    void tab.device.signIn({ participantId: who }).catch(() => undefined)
    await serve((path) => /sessions$|me$/.test(path))
  }
  const entriesIn = (place: OpenTab, state: string) =>
    place.tab.device.entries.value.filter((each) => each.state === state)

  async function act(step: Step): Promise<void> {
    if (step.do === 'open') return open()
    if (step.do === 'wait') return wait(step.milliseconds)
    if (step.do === 'end') return server.endSessions(step.who)
    if (step.do === 'accept') return server.accept(step.index)
    if (step.do === 'line') {
      const [request] = device.line.splice(step.request % (device.line.length || 1), 1)
      return request && server.answer(request, step.outcome)
    }
    const place = tabs[step.tab % tabs.length]
    if (!place) return
    const { tab, forms } = place
    if (step.do === 'signIn') return signIn(place, step.who)
    if (step.do === 'keep') return keep(place, step.form, step.hasFile)
    if (step.do === 'send') return send(place, step.form)
    if (step.do === 'leave') return over(forms, step.form)
    if (step.do === 'hide') return tab.hide()
    if (step.do === 'sendNow') return tab.device.sendNow()
    if (step.do === 'kill') {
      tab.kill()
      tabs.splice(tabs.indexOf(place), 1)
      for (const other of tabs) other.tab.show()
      return
    }
    if (step.do === 'signOut') {
      await draftsLost(tab.device.personNow.value?.who)
      return void tab.device.signOut().catch(() => undefined)
    }
    if (step.do === 'afresh') {
      const form = forms.get(step.form)
      if (!form) return
      for (const field of fieldsOf(form)) promised.delete(field)
      form.answers = {}
      form.typed.clear()
      return void form.draft.discard().catch(() => undefined)
    }
    const [entry] = entriesIn(place, 'refused')
    if (!entry) return
    if (step.do === 'reopen') {
      mended.add(entry.id)
      return void tab.device.reopen(entry.id).catch(() => undefined)
    }
    for (const field of fieldsOf(entry)) promised.delete(field)
    void tab.device.discard(entry.id).catch(() => undefined)
  }

  await open()
  return { device, server, tabs, promised, mended, numbers, settle: runUntilIdle, serve, wait, act, open, signIn }
}
