// Makes a screenshot small: its colours are reduced to a palette of 256.
import zlib from "node:zlib";

const kSignature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

function chunks(png) {
  const found = {};
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    found[type] = found[type] ? Buffer.concat([found[type], data]) : data;
    at += 12 + length;
  }
  return found;
}

/** Pixels of three bytes each, of a PNG with 8 bits a channel and no interlacing, as Chromium writes it. */
function pixels(png) {
  const { IHDR, IDAT } = chunks(png);
  const width = IHDR.readUInt32BE(0), height = IHDR.readUInt32BE(4);
  const channels = IHDR[9] === 6 ? 4 : 3;
  const raw = zlib.inflateSync(IDAT);
  const stride = width * channels;
  const lines = Buffer.alloc(stride * height);
  const paeth = (a, b, c) => {
    const pa = Math.abs(b - c), pb = Math.abs(a - c), pc = Math.abs(a + b - 2 * c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
  };
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const a = x >= channels ? lines[y * stride + x - channels] : 0;
      const b = y > 0 ? lines[(y - 1) * stride + x] : 0;
      const c = x >= channels && y > 0 ? lines[(y - 1) * stride + x - channels] : 0;
      const predicted = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
      lines[y * stride + x] = raw[y * (stride + 1) + 1 + x] + predicted;
    }
  }
  const rgb = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) lines.copy(rgb, i * 3, i * channels, i * channels + 3);
  return { width, height, rgb };
}

/** The commonest colours, once the last two bits of each channel are left aside, and for each colour the nearest of them. */
function palette(rgb) {
  const counts = new Map();
  for (let i = 0; i < rgb.length; i += 3) {
    const key = ((rgb[i] >> 2) << 16) | ((rgb[i + 1] >> 2) << 8) | (rgb[i + 2] >> 2);
    const sum = counts.get(key) ?? [0, 0, 0, 0];
    sum[0]++; sum[1] += rgb[i]; sum[2] += rgb[i + 1]; sum[3] += rgb[i + 2];
    counts.set(key, sum);
  }
  const common = [...counts].sort((one, other) => other[1][0] - one[1][0]).slice(0, 256);
  const colours = common.map(([, [n, r, g, b]]) => [r / n, g / n, b / n].map(Math.round));
  const nearest = new Map();
  for (const [key, [n, r, g, b]] of counts) {
    const distances = colours.map(([x, y, z]) => (r / n - x) ** 2 + (g / n - y) ** 2 + (b / n - z) ** 2);
    nearest.set(key, distances.indexOf(Math.min(...distances)));
  }
  return { colours, nearest };
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc(body), body.length + 4);
  return whole;
}

function crc(data) {
  let sum = ~0;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

export function small(png) {
  const { width, height, rgb } = pixels(png);
  const { colours, nearest } = palette(rgb);
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 3;
      lines[y * (width + 1) + 1 + x] = nearest.get(((rgb[i] >> 2) << 16) | ((rgb[i + 1] >> 2) << 8) | (rgb[i + 2] >> 2));
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([kSignature, chunk("IHDR", header), chunk("PLTE", Buffer.from(colours.flat())),
    chunk("IDAT", zlib.deflateSync(lines, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}
