/** The frame of the pages for somebody who is not signed in. */
import type { ComponentChildren } from 'preact'
import { Frame } from '#web/kit/page/page'
import { route } from '#web/participant/route'

export const Front = ({ children }: { children: ComponentChildren }) => (
  <Frame name="front" place={route.value}>
    {children}
  </Frame>
)
