/* How often each number comes up in the shown volume, with the window over it. */
const bars = 96;

function limits(view) {
  const [low, high] = view.part.window, margin = 0.5 * (high - low);
  return [Math.max(view.part.low, low - margin), Math.min(view.part.high, high + margin)];
}

function count(view, low, high) {
  const n = view.image.n, pixels = n[0] * n[1] * n[2], counts = new Float64Array(bars), step = Math.ceil(pixels / 200000);
  for (let i = 0; i < pixels; i += step) {
    const at = Math.floor((bars * (view.valueAt(i + pixels * view.volume) - low)) / (high - low));
    if (at >= 0 && at < bars) counts[at]++;
  }
  return counts;
}

/* Logarithmic, since the background outweighs everything else. */
function drawHistogram(canvas, view) {
  const [low, high] = limits(view), style = getComputedStyle(canvas);
  const key = [view.partIndex, view.volume].join();
  if (canvas.key !== key) {
    canvas.counts = count(view, low, high);
    canvas.key = key;
  }
  const width = (canvas.width = 3 * bars), height = (canvas.height = 54), most = Math.log1p(Math.max(...canvas.counts));
  const context = canvas.getContext("2d"), place = (value) => (width * (value - low)) / (high - low || 1);
  context.fillStyle = style.getPropertyValue("--accent-soft");
  context.fillRect(place(view.low), 0, place(view.high) - place(view.low), height);
  context.fillStyle = style.getPropertyValue("--soft");
  canvas.counts.forEach((number, i) => {
    const tall = most ? (Math.log1p(number) / most) * (height - 4) : 0;
    context.fillRect(3 * i, height - tall, 2, tall);
  });
  context.fillStyle = style.getPropertyValue("--accent");
  for (const edge of [view.low, view.high]) context.fillRect(Math.round(place(edge)) - 1, 0, 2, height);
}
