import os

from hypothesis import given
from hypothesis import strategies as st

from anchorhold.matches.wire import Broken, Hello, Inbox, Message, Stopped, encode, receive, send

messages = st.one_of(
    st.builds(Hello, watch=st.integers(0, 99), parent=st.integers(1, 99)),
    st.builds(Stopped, what=st.text(), where=st.text(), next_step=st.text()),
    st.builds(Broken, traceback=st.text(max_size=5000)),
)


@given(st.lists(messages, max_size=5), st.integers(1, 50))
def test_messages_come_out_whole_and_in_order_however_they_are_cut(sent: list[Message], size: int) -> None:
    stream = b"".join(encode(message) for message in sent)
    inbox = Inbox()
    assert [m for start in range(0, len(stream), size) for m in inbox.take(stream[start : start + size])] == sent


def test_half_a_message_at_the_end_of_the_pipe_is_none() -> None:
    read_end, write_end = os.pipe()
    try:
        whole = Stopped("a", "b", "c")
        send(write_end, whole)
        os.write(write_end, encode(whole)[:-1])
        os.close(write_end)
        assert receive(read_end) == whole
        assert receive(read_end) is None
    finally:
        os.close(read_end)
