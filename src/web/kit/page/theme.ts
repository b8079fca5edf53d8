/** Light or dark: what the person has chosen on this device, else what the device prefers. */

import { signal } from '@preact/signals'
import { smallStorage } from '#web/kit/storage/smallStorage'

const KEY = 'theme'
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const isTheme = (text: string | null): text is Theme => themes.some((each) => each === text)

function chosenTheme(): Theme {
  const chosen = smallStorage.getItem(KEY)
  return isTheme(chosen) ? chosen : 'system'
}

export const theme = signal<Theme>(chosenTheme())

/** Shows the page in the chosen colours. */
export function markTheme(): void {
  const { dataset } = document.documentElement
  if (theme.value === 'system') delete dataset.theme
  else dataset.theme = theme.value
}

/** Changes the colours, and remembers them on this device. */
export function chooseTheme(chosen: Theme): void {
  smallStorage.setItem(KEY, chosen)
  theme.value = chosen
  markTheme()
}
