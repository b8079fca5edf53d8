/** Changes the heading, which is a part of the page that the server wrote, and the title of the window with it. */
export function setHeading(text: string): void {
  const heading = document.querySelector('h1')
  if (heading) heading.textContent = text
  document.title = `${text} · Trialbox`
}
