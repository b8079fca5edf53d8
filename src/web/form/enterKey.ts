/** What the Enter key does in a form. */

/** Inputs in which Enter means “go on”: where somebody types, and the options of a question, which other keys choose. */
const NEXT_ON_ENTER: ReadonlySet<string> = new Set(['text', 'date', 'time', 'datetime-local', 'radio', 'checkbox'])

/**
 * Enter in a field goes on to the next field, from an option to the next question, after the last one to the button that sends; it never sends the answers: many people
 * press it by habit, and the keyboards of phones have it as a large key. With one question a screen it goes on to the next screen.
 * Other buttons are left out: the next Enter would go back, or remove an answer.
 * @param isLast whether the form would be sent
 */
export function handleEnter(event: KeyboardEvent, isLast: boolean): void {
  const { key, target, currentTarget } = event
  if (key !== 'Enter' || event.isComposing || !(target instanceof HTMLInputElement)) return
  const { type } = target
  if (type === 'file' || !(isLast || type === 'range' || type === 'search')) return
  event.preventDefault()
  if (!NEXT_ON_ENTER.has(type) || !(currentTarget instanceof HTMLFormElement)) return
  const controls = [...currentTarget.querySelectorAll<HTMLElement>('input, textarea, button[type=submit]')]
  const isOption = type === 'radio' || type === 'checkbox'
  const isOther = (each: HTMLElement) => !(isOption && each instanceof HTMLInputElement && each.name === target.name)
  const next = controls.slice(controls.indexOf(target) + 1).find((each) => !each.matches(':disabled') && isOther(each))
  next?.focus()
}

/**
 * Whether somebody goes on by Enter in a control with half a date. It loses the focus for a moment, as by a press of the button, so that
 * the form knows of it.
 */
export function commitHalfInput(control: Element | null): boolean {
  if (!(control instanceof HTMLInputElement) || !control.validity.badInput) return false
  control.blur()
  control.focus()
  return true
}
