/** The state of a form, by shape and colour, with its word for readers: the same everywhere. */
import { useShellTranslator } from '#web/console/lang/texts'

export const formStates = ['waiting', 'open', 'started', 'complete', 'behind', 'missed'] as const
export type FormState = (typeof formStates)[number]

const ring = (width = 1.6, dash?: string) => (
  <circle cx="8" cy="8" r="6.200" fill="none" stroke="currentcolor" stroke-width={width} stroke-dasharray={dash} />
)

const shapes: Readonly<Record<FormState, () => preact.JSX.Element>> = {
  waiting: () => ring(1.5, '2.2 2.67'),
  open: () => ring(),
  started: () => (
    <>
      {ring()}
      <path d="M8 3.5a4.500 4.500 0 0 1 0 9z" fill="currentcolor" />
    </>
  ),
  complete: () => (
    <>
      <circle cx="8" cy="8" r="7" fill="currentcolor" />
      <path class="on-shape" d="m4.800 8.200 2.200 2.200 4.200-4.600" />
    </>
  ),
  behind: () => (
    <>
      <path d="M8 1 15.500 14.500H.5z" fill="currentcolor" />
      <path class="on-shape" d="M8 6v3.800M8 12v.1" />
    </>
  ),
  missed: () => (
    <>
      {ring()}
      <path
        d="m5.600 5.600 4.800 4.800m0-4.800-4.800 4.800"
        stroke="currentcolor"
        stroke-width="1.5"
        stroke-linecap="round"
      />
    </>
  ),
}

/** @param label what it says, if more than the word of the state; empty beside that word */
export function Glyph({ state, label }: { state: FormState; label?: string }) {
  const { t } = useShellTranslator()
  const name = label ?? t(`state.${state}`)
  const drawn = { class: `g c-${state}`, viewBox: '0 0 16 16' }
  return name ? (
    <svg {...drawn} role="img" aria-label={name}>
      {shapes[state]()}
    </svg>
  ) : (
    <svg {...drawn} aria-hidden="true" focusable="false">
      {shapes[state]()}
    </svg>
  )
}

/** A state with its word. */
export function StateText({ state }: { state: FormState }) {
  const { t } = useShellTranslator()
  return (
    <span class="st">
      <Glyph state={state} label="" />
      {t(`state.${state}`)}
    </span>
  )
}
