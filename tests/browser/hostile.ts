/** HTML that tries more than thirty ways of loading something remote; each has its own path at `tracker`. */
export function hostileHtml(tracker: string): string {
  const at = (name: string) => `${tracker}/${name}`;
  return `<!doctype html><html><head>
    <base href="${at('base/')}">
    <meta http-equiv="refresh" content="0;url=${at('refresh')}">
    <link rel="stylesheet" href="${at('style.css')}"><link rel="prefetch" href="${at('prefetch')}">
    <link rel="preload" as="image" href="${at('preload')}"><link rel="modulepreload" href="${at('modulepreload')}">
    <link rel="icon" href="${at('icon')}"><link rel="manifest" href="${at('manifest')}"><link rel="preconnect" href="${tracker}">
    <style>@import url("${at('import.css')}"); @font-face { font-family: f; src: url("${at('font')}"); }
      body { font-family: f; background: url("${at('css-background')}"); } li { list-style-image: url("${at('list')}"); }
      p::after { content: url("${at('content')}"); } a { cursor: url("${at('cursor')}"), auto; }</style>
    <script src="${at('script.js')}"></script><script>fetch("${at('fetch')}"); new Image().src = "${at('new-image')}"; parent.pwned = 1; top.pwned = 1;</script>
    </head><body background="${at('body-background')}" onload="parent.pwned = 1">
    <p id="seen">Hello from the mail</p>
    <img src="${at('img')}"><img srcset="${at('srcset')} 2x"><img src="x" onerror="parent.pwned = 1">
    <picture><source srcset="${at('picture')}"><img src="${at('picture-img')}"></picture>
    <video poster="${at('poster')}" src="${at('video')}" autoplay></video><audio src="${at('audio')}" autoplay></audio>
    <video><track src="${at('track')}" default></video>
    <iframe src="${at('iframe')}"></iframe><iframe srcdoc="<img src='${at('srcdoc')}'>"></iframe>
    <object data="${at('object')}"></object><embed src="${at('embed')}">
    <svg><image href="${at('svg-image')}"/><use href="${at('svg-use')}#x"/><script>parent.pwned = 1</script></svg>
    <input type="image" src="${at('input')}"><table background="${at('table')}"><tr><td>x</td></tr></table>
    <div style="background: url('${at('style-attribute')}')">x</div><ul><li>x</li></ul>
    <form id="f" action="${at('form')}" method="post"><input autofocus onfocus="f.submit(); parent.pwned = 1"></form>
    <a href="javascript:parent.pwned=1" ping="${at('ping')}">link</a>
    <math><mtext><img src="${at('math')}"></mtext></math>
    </body></html>`;
}
