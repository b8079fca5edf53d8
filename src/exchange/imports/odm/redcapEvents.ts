/** Reads what REDCap says of its events: repeating instruments, days with their windows, arms. */

import { attribute, children, textIn, type Xml } from '#documents/xml'
import type { DraftStage, Warn } from '#exchange/imports/common/draft'
import { cut } from '#kernel/text'

type Visit = Pick<DraftStage, 'settings' | 'waits' | 'groups'>

/** The anchor from which REDCap's day offsets are counted. */
const START = 'Day 0'
const MOST_HOURS = 8760

/** Elements of that name anywhere in an element. */
function* descendants(element: Xml, name: string): Generator<Xml> {
  yield* children(element, name)
  for (const [key, value] of Object.entries(element)) {
    if (key.startsWith('@')) continue
    for (const each of Array.isArray(value) ? value : [value])
      if (typeof each === 'object' && each !== null) yield* descendants(each as Xml, name)
  }
}

/** Makes the function that returns what REDCap says of a form in an event: ad hoc if it repeats, its day, its arm. */
export function redcapVisits(study: Xml, version: Xml, warn: Warn): (event: Xml, form: Xml) => Visit {
  const variables = children(study, 'GlobalVariables')
  const instruments = new Set<string>()
  const events = new Set<string>()
  const key = (event: string, form: string) => `${event}\n${form}`
  const classic = children(version, 'StudyEventDef').length <= 1
  for (const global of variables) {
    for (const each of descendants(global, 'RepeatingInstrument')) {
      const event = classic ? '' : attribute(each, 'redcap:UniqueEventName')
      instruments.add(key(event, attribute(each, 'redcap:RepeatInstrument')))
    }
    for (const each of descendants(global, 'RepeatingEvent')) events.add(attribute(each, 'redcap:UniqueEventName'))
  }
  const isScheduled = !variables.some((each) => textIn(children(each, 'SchedulingEnabled')[0]) === '0')
  const arms = new Set(children(version, 'StudyEventDef').map((each) => attribute(each, 'redcap:ArmNum')))

  return (event, form) => {
    const unique = attribute(event, 'redcap:UniqueEventName')
    const name = attribute(form, 'redcap:FormName') || attribute(form, 'OID').replace(/^Form\./, '')
    const arm = attribute(event, 'redcap:ArmName').trim()
    const group = cut(arm.length > 1 ? arm : `Arm ${arm || attribute(event, 'redcap:ArmNum')}`, 100)
    const groups = arms.size > 1 ? { groups: [group] } : {}
    const repeats = instruments.has(key(classic ? '' : unique, name)) || events.has(unique)
    const timed = scheduleOf(event, attribute(event, 'Name') || unique)
    if (repeats) {
      if (timed.waits)
        warn(name, 'It repeats, so that it is always open: the day and window of its event were left out.')
      return { settings: { adHoc: true }, ...groups }
    }
    return { ...timed, ...groups }
  }

  /** The day of an event as a delay after day 0, and its window of days before and after it. */
  function scheduleOf(event: Xml, eventName: string): Visit {
    const number = (attributeName: string) => {
      const text = attribute(event, `redcap:${attributeName}`)
      return /^-?\d{1,5}$/.test(text) ? Number(text) : undefined
    }
    const day = number('DayOffset')
    if (day === undefined) return {}
    const [before, after] = [number('OffsetMin') ?? 0, number('OffsetMax') ?? 0].map(Math.abs) as [number, number]
    const scheduleText = `day ${day}${before || after ? ` with ${before} days before and ${after} after it` : ''}`
    if (!isScheduled) {
      // REDCap numbers the days of events by itself if its scheduling module is off.
      warn(eventName, `Its day (${scheduleText}) was left out, as the project does not use REDCap’s scheduling.`)
      return {}
    }
    const hours = (before + after + 1) * 24
    const isWindow = before + after > 0 && hours <= MOST_HOURS
    if (hours > MOST_HOURS) warn(eventName, `Its window (${scheduleText}) is longer than a year and was left out.`)
    return {
      settings: isWindow ? { enableAtTime: '00:00:00', availabilityWindowHours: hours } : {},
      waits: { for: START, delay: day - (isWindow ? before : 0) },
    }
  }
}
