/** The page of a form. */
import { FormPage } from '#web/app/form/form'
import { Page as Frame } from './page'

export const Page = ({ occurrence }: { occurrence: string }) => (
  <FormPage key={occurrence} occurrence={occurrence} frame={Frame} />
)
