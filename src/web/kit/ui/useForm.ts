import { useRef, useState } from 'preact/hooks'
import type { Answer } from '#web/kit/api/send'

type Faults = { message?: string; fields: Readonly<Record<string, string>> }

const NONE: Faults = { fields: {} }

/** A refusal that the page makes itself, of one field. */
export const refusedField = (name: string, problem: string): Answer<never> => ({
  isDone: false,
  status: 422,
  message: problem,
  fields: { [name]: problem },
  details: {},
})

/** What stands in the fields, as typed: `FormData` alone would put another character in the place of half a surrogate pair, in silence. */
function inputOf(form: HTMLFormElement): Record<string, string> {
  const typed = [...new FormData(form)].map(([name, value]) => {
    const control = form.elements.namedItem(name)
    const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement
    return [name, isText && typeof value === 'string' ? control.value : value] as const
  })
  return Object.fromEntries(
    typed.filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  )
}

/**
 * Sends a form, never twice at a time, and keeps what is wrong with it: with single fields, or `message` if no field of the form is
 * at fault. The first field at fault gets the focus.
 */
export function useForm(
  send: (input: Readonly<Record<string, string>>, form: HTMLFormElement) => Promise<Answer<unknown>>,
) {
  const [faults, setFaults] = useState(NONE)
  const [isBusy, setBusy] = useState(false)
  const isSending = useRef(false)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    if (isSending.current || !(form instanceof HTMLFormElement)) return
    isSending.current = true
    setBusy(true)
    setFaults(NONE)
    const answer = await send(inputOf(form), form)
    isSending.current = false
    setBusy(false)
    if (answer.isDone) return
    const control = (name: string) => form.elements.namedItem(name)
    const known = Object.entries(answer.fields).filter(([name]) => control(name) instanceof HTMLElement)
    const others = Object.entries(answer.fields).filter(([name]) => !(control(name) instanceof HTMLElement))
    const text = others.map(([name, problem]) => `${name}: ${problem}`).join(' · ')
    setFaults({
      fields: Object.fromEntries(known),
      ...(known.length && !text ? {} : { message: text || answer.message }),
    })
    const first = known.map(([name]) => control(name)).find((each) => each instanceof HTMLElement)
    if (first instanceof HTMLElement) first.focus()
  }

  return { submit, isBusy, faults }
}
