// What parcel.py has packed, in the order in which it came: unpacking takes a moment, and the next batch must not
// overtake the one before. Nor does it come under the hand of somebody who presses (`hand.js`).
async function unpacked(bytes) {
  const { readable, writable } = new DecompressionStream("deflate");
  const writer = writable.getWriter();
  writer.write(bytes).catch(() => {}); // what is wrong with it is told by the reader
  writer.close().catch(() => {});
  return new Response(readable).json();
}

class Parcels {
  constructor(take, hand) {
    this.take = take;
    this.hand = hand;
    this.before = Promise.resolve();
  }

  // hands on the message with its items, packed or not
  open(message, buffers) {
    this.before = this.before
      .then(() => this.unpack(message, buffers))
      .catch((problem) => console.error("a batch could not be shown", problem));
  }

  async unpack(message, buffers) {
    const whole = buffers?.length ? { ...message, items: await unpacked(buffers[0]) } : message;
    await this.hand.free;
    this.take(whole);
  }
}
