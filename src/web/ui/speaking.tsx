import { type ComponentType, createContext, render } from 'preact'
import { useContext } from 'preact/hooks'
import { pageSpeaker } from '#web/common/page'
import type { Speaker } from '#web/common/texts'

const Speaking = createContext<Speaker | undefined>(undefined)

/** The functions for the language of the page. */
export function useSpeaker(): Speaker {
  const speaker = useContext(Speaking)
  if (!speaker) throw new Error('A component is outside of mountPage.')
  return speaker
}

/** Puts a component into the place that the server left for it, when the texts of the language are there. */
export async function mountPage(Page: ComponentType): Promise<void> {
  const place = document.getElementById('content')
  const speaker = await pageSpeaker()
  if (!place) return
  place.replaceChildren()
  place.removeAttribute('aria-busy')
  render(
    <Speaking.Provider value={speaker}>
      <Page />
    </Speaking.Provider>,
    place,
  )
}
